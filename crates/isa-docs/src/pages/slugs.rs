//! The addresses of the pages of an instruction set.

use super::values::ShownErratum;
use super::view::Page;
use std::collections::HashSet;

/// An instruction set, and where its pages are.
pub(super) struct Site<'a> {
    pub(super) page: &'a Page,
    /// The folder of its pages.
    pub(super) folder: String,
    /// The names of the instructions' pages, without the ending.
    pub(super) slugs: Vec<String>,
}

impl<'a> Site<'a> {
    pub(super) fn new(page: &'a Page) -> Self {
        Self { page, folder: page.name.clone(), slugs: slugs(page.instructions.iter().map(|i| i.name.as_str())) }
    }

    /// The place at which an instruction's page shows an erratum.
    pub(super) fn place(&self, at: usize, fault: &ShownErratum) -> String {
        let is_apart = self.page.instructions[at].other_errata().any(|own| own.head() == fault.head());
        format!("{}.html#{}", self.slugs[at], if is_apart { "errata" } else { "fields" })
    }
}

/// The names of pages: the lower-case letters, digits and hyphens of an instruction's name; with a number if that is ambiguous.
fn slugs<'n>(names: impl Iterator<Item = &'n str>) -> Vec<String> {
    let mut taken: HashSet<String> = ["reference", "errata"].map(str::to_owned).into();
    // Files of these names are devices to some systems.
    taken.extend(["con", "prn", "aux", "nul"].map(str::to_owned));
    taken.extend((0..10).flat_map(|n| [format!("com{n}"), format!("lpt{n}")]));
    let slug = |name: &str| {
        let plain: String = name.chars().map(|c| if c.is_ascii_alphanumeric() { c.to_ascii_lowercase() } else { '-' }).collect();
        let plain = plain.trim_matches('-');
        let plain: String = plain.chars().take(64).collect();
        let free = |slug: &String| !slug.is_empty() && !taken.contains(slug);
        let numbered = (2..).map(|n| format!("{}{}{n}", plain, if plain.is_empty() { "i-" } else { "-" }));
        let slug = std::iter::once(plain.clone()).chain(numbered).find(free).expect("there is always another number");
        taken.insert(slug.clone());
        slug
    };
    names.map(slug).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_pages() {
        let names = ["ADD", "add", "LEA.HI", "..", "é", "reference", "NUL", "../../x"];
        let expected = ["add", "add-2", "lea-hi", "i-2", "i-3", "reference-2", "nul-2", "x"];
        assert_eq!(slugs(names.into_iter()), expected);
    }
}
