//! The pages of an instruction set in HTML: an overview, a page for each instruction, the items that they refer to, errata; and
//! the scripts of the explorer and the search. They need no network, and can be read without scripts.

use super::calls;
use super::data::{self, Example};
use super::filters;
use super::map::{Free, Map};
use super::opcodes;
use super::prose::percent;
use super::render::render;
use super::slugs::Site;
use super::values::{Registers, ShownErratum, Values};
use super::view::{Described, Page};
use askama::Template;
use isa_codegen::File;
use isa_reference::certificate::Certificate;
use isa_reference::codec::Codec;
use isa_spec::model::{Isa, Label};
use serde_json::json;

/// Longer facts are folded, in characters.
const LONG_FACT: usize = 120;

/// The number of characters of notes that are not folded.
const LONG_NOTES: usize = 900;

/// The frame of all pages.
struct Frame {
    /// The way to the folder of the site: nothing, or `../`.
    root: &'static str,
    title: String,
    /// The instruction set; empty on the page of all.
    isa: String,
    /// The folder of its pages, from that of the site.
    folder: String,
    /// Text only, no words.
    is_text: bool,
    /// Anchors and names of the page's parts.
    parts: Vec<(&'static str, String)>,
}

/// A link to an instruction.
struct Link {
    name: String,
    slug: String,
}

/// Instructions of one group; of one format where a specification has no groups.
struct Group<'a> {
    name: String,
    summary: String,
    rows: Vec<(&'a super::instruction::Entry, &'a str)>,
}

/// Something that fields refer to, and the instructions that do.
struct Used<'a, T> {
    of: &'a T,
    uses: Vec<Link>,
}

/// The errata of one document.
struct Document<'a> {
    anchor: String,
    title: String,
    faults: Vec<(&'a ShownErratum, String)>,
}

#[derive(Template)]
#[template(path = "site/index.html")]
struct Index {
    frame: Frame,
    isas: Vec<Summary>,
    has_summaries: bool,
}

/// A line of the index.
struct Summary {
    name: String,
    summary: String,
    words: String,
    instructions: usize,
    forms: usize,
    /// Percent of the words of each length that are allocated, as text and as a number.
    shares: Vec<(String, String)>,
}

#[derive(Template)]
#[template(path = "site/overview.html")]
struct Overview<'a> {
    frame: Frame,
    page: &'a Page,
    /// Short facts and a beginning of the notes; the rest is folded.
    facts: Vec<&'a str>,
    notes: &'a [String],
    more_facts: Vec<&'a str>,
    more_notes: &'a [String],
    folder: &'a str,
    groups: Vec<Group<'a>>,
    /// The columns of the table of instructions.
    columns: Columns,
    /// The instructions that have aliases, and the names of their pages.
    aliased: Vec<(&'a super::instruction::Entry, &'a String)>,
    maps: Vec<(Map, Vec<Link>)>,
    shows: Shows,
    /// The free words of the lengths that have no map.
    free: Vec<Free>,
    /// The opcodes, where they are bytes.
    opcodes: Vec<opcodes::Row>,
    slugs: &'a [String],
    examples: &'a [String],
    /// True if there is an explorer.
    explores: bool,
}

/// The kinds of parts that the encoding maps have.
struct Shows {
    shared: bool,
    partly: bool,
    others: bool,
}

/// The columns of the table of instructions that say something.
struct Columns {
    summaries: bool,
    digits: bool,
    flags: bool,
    forms: bool,
    /// The number of all.
    count: usize,
}

impl Columns {
    fn of(page: &Page) -> Self {
        let has = |is: fn(&super::instruction::Entry) -> bool| page.instructions.iter().any(is);
        // If it is empty for most instructions, their layouts say more.
        let with_digits = page.instructions.iter().filter(|i| !i.digits.is_empty()).count();
        let digits = 2 * with_digits > page.instructions.len();
        let (summaries, flags, forms) =
            (has(|i| !i.summary.is_empty()), has(|i| !i.flags.is_empty()), has(|i| i.forms.len() > 1));
        let count = [true, summaries, !page.is_text, digits, flags, forms].into_iter().filter(|is| *is).count();
        Self { summaries, digits, flags, forms, count }
    }
}

#[derive(Template)]
#[template(path = "site/instruction.html")]
struct Instruction<'a> {
    frame: Frame,
    page: &'a Page,
    i: &'a super::instruction::Entry,
    /// The functions that semantics can call.
    functions: Vec<String>,
    before: Option<Link>,
    after: Option<Link>,
    /// A word with its text, and if it can be explored.
    example: Option<(Example, bool)>,
}

#[derive(Template)]
#[template(path = "site/reference.html")]
struct Reference<'a> {
    frame: Frame,
    page: &'a Page,
    registers: Vec<Used<'a, Registers>>,
    enums: Vec<Used<'a, Values>>,
    formats: Formats,
    functions: Vec<String>,
}

/// The columns of the table of formats that say something.
struct Formats {
    extends: bool,
    summaries: bool,
    sources: bool,
}

#[derive(Template)]
#[template(path = "site/errata.html")]
struct Errata<'a> {
    frame: Frame,
    page: &'a Page,
    documents: Vec<Document<'a>>,
}

/// The pages of an instruction set: `NAME.html`, and the folder `NAME/`.
pub(super) fn pages(isa: &Isa) -> Vec<File> {
    let page = &Page::new(isa);
    let site = &Site::new(page);
    let image = isa_tables::image(isa).ok();
    let explores = image.is_some();
    let codec = Codec::new(isa);
    let examples = data::examples(&codec);
    let mut files = vec![File::new(format!("{}.html", isa.name), overview(isa, site, explores, &examples))];
    let mut put = |name: &str, text: String| files.push(File::new(format!("{}/{name}", site.folder), text));
    for at in 0..page.instructions.len() {
        put(&format!("{}.html", site.slugs[at]), instruction(&codec, site, at, explores));
    }
    put("reference.html", reference(isa, site));
    if !page.errata.is_empty() {
        put("errata.html", errata(site));
    }
    put("search.js", data::script(isa, "search", &data::search(isa, site)));
    if let Some(image) = image {
        put("image.js", data::script(isa, "image", &json!(data::base_64(&image))));
        put("about.js", data::script(isa, "about", &data::about(isa, site, &examples)));
    }
    files
}

/// The files that the pages of all instruction sets share, and the page that links to them.
pub fn site<'a>(isas: impl IntoIterator<Item = &'a Isa>) -> Vec<File> {
    let frame = Frame {
        root: "",
        title: "Instruction sets".into(),
        isa: String::new(),
        folder: String::new(),
        is_text: false,
        parts: Vec::new(),
    };
    let isas: Vec<Summary> = isas.into_iter().map(summary).collect();
    let has_summaries = isas.iter().any(|isa| !isa.summary.is_empty());
    let index = Index { frame, isas, has_summaries };
    vec![
        File::new("index.html", render(&index)),
        File::new("site/style.css", include_str!("../../templates/site/style.css")),
        File::new("site/page.js", include_str!("../../templates/site/page.js")),
        File::new("site/engine.js", engine()),
        File::new("site/explorer.js", include_str!("../../templates/site/explorer.js")),
    ]
}

/// The engine of the explorer: the WebAssembly module (`isa-wasm`) in a script, since a page that was opened from a disk may not read
/// other files.
fn engine() -> String {
    let module = data::base_64(include_bytes!("../../templates/site/engine.wasm"));
    format!("{}Isat.module = '{module}';\n", include_str!("../../templates/site/engine.js"))
}

fn summary(isa: &Isa) -> Summary {
    let lengths: Vec<_> = isa.words.lengths.iter().map(|l| l.bits.to_string()).collect();
    let share = |share: f64| (percent(share), format!("{share:.4}"));
    Summary {
        name: isa.name.clone(),
        summary: isa.summary.clone(),
        words: if lengths.is_empty() { "text".into() } else { lengths.join(", ") },
        instructions: isa.instructions.len(),
        forms: isa.forms.len(),
        shares: Certificate::new(isa).lengths.iter().map(|l| share(l.share())).collect(),
    }
}

impl Site<'_> {
    fn link(&self, at: usize) -> Link {
        Link { name: self.page.instructions[at].name.clone(), slug: self.slugs[at].clone() }
    }

    fn frame(&self, root: &'static str, title: String, parts: Vec<(&'static str, String)>) -> Frame {
        Frame { root, title, isa: self.page.name.clone(), folder: self.folder.clone(), is_text: self.page.is_text, parts }
    }

    /// Instructions by group, in the order of the groups; by format if there are no groups, in the order of the instructions; as
    /// one group if there are neither.
    fn groups(&self) -> Vec<Group<'_>> {
        let mut groups: Vec<Group<'_>> = Vec::new();
        let list = if self.page.groups.is_empty() { &self.page.formats } else { &self.page.groups };
        for (entry, slug) in self.page.instructions.iter().zip(&self.slugs) {
            let row = (entry, slug.as_str());
            let name = if self.page.groups.is_empty() { &entry.format } else { &entry.group };
            match groups.iter_mut().find(|g| g.name == *name) {
                Some(group) => group.rows.push(row),
                None => {
                    let summary = list.iter().find(|d| d.name == *name).map(|d| d.summary.clone()).unwrap_or_default();
                    groups.push(Group { name: name.clone(), summary, rows: vec![row] });
                }
            }
        }
        let place = |group: &Group<'_>| self.page.groups.iter().position(|declared| declared.name == group.name);
        groups.sort_by_key(|group| (group.name.is_empty(), place(group).unwrap_or(usize::MAX)));
        groups
    }
}

fn overview(isa: &Isa, site: &Site<'_>, explores: bool, examples: &[String]) -> String {
    let page = site.page;
    let lengths = Certificate::new(isa).lengths;
    let maps = lengths.iter().filter_map(|length| Map::new(isa, length)).collect::<Vec<_>>();
    let without = isa.words.lengths.iter().filter(|length| maps.iter().all(|map| map.length != length.bits));
    let free: Vec<Free> = without.filter_map(Free::new).collect();
    let maps: Vec<_> = maps
        .into_iter()
        .map(|map| {
            let links = map.areas.iter().map(|a| site.link(a.instruction)).collect();
            (map, links)
        })
        .collect();
    let mut parts = vec![("about", "About".to_owned())];
    parts.extend(explores.then(|| ("explorer", "Explorer".to_owned())));
    parts.push(("instructions", format!("Instructions ({})", page.instructions.len())));
    let aliases = page.instructions.iter().map(|i| i.aliases.len()).sum::<usize>();
    parts.extend((aliases > 0).then(|| ("aliases", format!("Aliases ({aliases})"))));
    let pseudo = page.pseudo.iter().filter(|own| !own.text.is_empty()).count();
    parts.extend((pseudo > 0).then(|| ("pseudo-instructions", format!("Pseudo-instructions ({pseudo})"))));
    parts.extend(page.control.is_some().then(|| ("control-codes", "Control codes".to_owned())));
    parts.extend((!page.common.groups.is_empty()).then(|| ("every-word", page.common_title().to_owned())));
    let opcodes = opcodes::rows(isa);
    parts.extend((!opcodes.is_empty()).then(|| ("opcodes", "Opcodes".to_owned())));
    parts.extend((!maps.is_empty()).then(|| ("map", "Encoding map".to_owned())));
    parts.extend((!free.is_empty()).then(|| ("free", "Free words".to_owned())));
    parts.extend((!page.space.is_empty()).then(|| ("opcode-space", "Opcode space".to_owned())));
    let frame = site.frame("", format!("{}: instruction set", page.name), parts);
    let (facts, more_facts) = page.facts.iter().map(String::as_str).partition(|fact| fact.chars().count() <= LONG_FACT);
    let mut shown = 0;
    let is_shown = |note: &&String| {
        shown += note.chars().count();
        shown <= LONG_NOTES
    };
    let (notes, more_notes) = page.notes.split_at(page.notes.iter().take_while(is_shown).count());
    let (groups, folder) = (site.groups(), &site.folder);
    let aliased: Vec<_> = page.instructions.iter().zip(&site.slugs).filter(|(i, _)| !i.aliases.is_empty()).collect();
    let shows = Shows {
        shared: maps.iter().any(|(map, _)| map.has_shared()),
        partly: maps.iter().any(|(map, _)| map.has_partly()),
        others: maps.iter().any(|(map, _)| !map.others.is_empty()),
    };
    render(&Overview {
        frame,
        page,
        facts,
        notes,
        more_facts,
        more_notes,
        folder,
        groups,
        columns: Columns::of(page),
        aliased,
        maps,
        shows,
        free,
        opcodes,
        slugs: &site.slugs,
        examples,
        explores,
    })
}

fn instruction(codec: &Codec<'_>, site: &Site<'_>, at: usize, explores: bool) -> String {
    let isa = codec.isa();
    let (page, i) = (site.page, &site.page.instructions[at]);
    let mut parts = vec![("text", "Text".to_owned())];
    parts.extend(i.has_layout().then(|| ("layout", "Layout".to_owned())));
    parts.extend((!i.fields.groups.is_empty()).then(|| ("fields", "Fields".to_owned())));
    let forms = if i.forms.len() > 1 { format!("Forms ({})", i.forms.len()) } else { "Fixed bits".to_owned() };
    parts.extend(i.has_forms().then_some(("forms", forms)));
    parts.extend((!i.readings.is_empty()).then(|| ("readings", "Readings".to_owned())));
    parts.extend((!i.registers.is_empty()).then(|| ("registers", "Registers".to_owned())));
    parts.extend((!i.flags.is_empty()).then(|| ("flags", "Flags affected".to_owned())));
    parts.extend((!i.rules.is_empty()).then(|| ("rules", "Rules".to_owned())));
    parts.extend((!i.semantics.is_empty()).then(|| ("semantics", "Semantics".to_owned())));
    let others = i.other_errata().count();
    parts.extend((others > 0).then(|| ("errata", format!("Errata ({others})"))));
    let forms = isa.forms_of(&isa.instructions[at]);
    let example = forms.iter().find_map(|form| Example::of(codec, form)).map(|example| (example, explores));
    parts.extend(example.as_ref().filter(|_| explores).map(|_| ("explorer", "Explorer".to_owned())));
    let frame = site.frame("../", format!("{}, {}", i.name, page.name), parts);
    let before = at.checked_sub(1).map(|at| site.link(at));
    let after = (at + 1 < page.instructions.len()).then(|| site.link(at + 1));
    let functions = calls::declared(&page.functions);
    render(&Instruction { frame, page, i, functions, before, after, example })
}

fn reference(isa: &Isa, site: &Site<'_>) -> String {
    let page = site.page;
    let uses = |is_it: &dyn Fn(Label) -> bool| {
        let users = isa.instructions.iter().enumerate().filter(|(_, i)| {
            let fields = isa.forms_of(i).iter().flat_map(|f| &f.fields);
            fields.into_iter().any(|f| is_it(f.label))
        });
        users.map(|(at, _)| site.link(at)).collect()
    };
    let registers = page.registers.iter().enumerate().map(|(at, of)| {
        let uses = uses(&|label| matches!(label, Label::Register(id) if id.index() == at));
        Used { of, uses }
    });
    let enums = page.enums.iter().enumerate().map(|(at, of)| {
        let uses = uses(&|label| matches!(label, Label::Enum(id) if id.index() == at));
        Used { of, uses }
    });
    let all = [
        (!page.registers.is_empty(), "register-files", "Register files"),
        (!page.enums.is_empty(), "values", "Values"),
        (!page.computed.is_empty(), "codes", "Codes"),
        (!page.operands.is_empty(), "operands", "Operands"),
        (!page.choices.is_empty(), "choices", "Choices"),
        (!page.formats.is_empty(), "formats", "Formats"),
        (!page.machine.facts.is_empty(), "machine", "Machine"),
        (!page.functions.is_empty(), "functions", "Functions"),
        (!page.holes.is_empty(), "not-described", "Not described"),
        (!page.sources.is_empty(), "sources", "Sources"),
    ];
    let parts = all.into_iter().filter(|p| p.0).map(|(_, id, name)| (id, name.to_owned())).collect();
    let frame = site.frame("../", format!("Reference, {}", page.name), parts);
    let has = |is: fn(&Described) -> bool| page.formats.iter().any(is);
    let formats = Formats {
        extends: has(|format| !format.extends.is_empty()),
        summaries: has(|format| !(format.summary.is_empty() && format.notes.is_empty())),
        sources: has(|format| !format.source.is_empty()),
    };
    let functions = calls::declared(&page.functions);
    render(&Reference { frame, page, registers: registers.collect(), enums: enums.collect(), formats, functions })
}

fn errata(site: &Site<'_>) -> String {
    let page = site.page;
    let mut documents: Vec<(String, Document<'_>)> = Vec::new();
    for fault in &page.errata {
        let name = fault.at.split([':', ',']).next().unwrap_or_default().to_owned();
        let place = page.instructions.iter().position(|i| i.name == fault.owner).map(|at| site.place(at, fault));
        let place = place.unwrap_or_default();
        match documents.iter_mut().find(|(n, _)| *n == name) {
            Some((_, document)) => document.faults.push((fault, place)),
            None => {
                let source = page.sources.iter().find(|s| !name.is_empty() && (s.name == name || s.file.ends_with(&name)));
                let title = match source {
                    Some(source) if source.title.is_empty() => name.clone(),
                    Some(source) => source.title.clone(),
                    None if name.is_empty() => "Not about a document".to_owned(),
                    None => name.clone(),
                };
                let anchor = format!("document-{}", documents.len() + 1);
                documents.push((name, Document { anchor, title, faults: vec![(fault, place)] }));
            }
        }
    }
    let documents = documents.into_iter().map(|(_, mut document)| {
        document.faults.sort_by_key(|(fault, _)| first_line(&fault.at));
        document
    });
    let frame = site.frame("../", format!("Errata, {}", page.name), Vec::new());
    render(&Errata { frame, page, documents: documents.collect() })
}

/// The line of `file:20-24`.
fn first_line(at: &str) -> u32 {
    let lines = at.split_once(':').map_or("", |(_, lines)| lines);
    lines.split(|c: char| !c.is_ascii_digit()).next().and_then(|n| n.parse().ok()).unwrap_or(0)
}
