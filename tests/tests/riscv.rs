//! RV64GC and RV32IMAC, compositions of the same files: what they have, and the texts of words as GNU objdump 2.40 prints them, by
//! the reference codec. (The engine does not know `prefer: shortest` yet.)

use conformance::load;
use isa_spec::codec::Codec;
use isa_spec::model::{Isa, Word};
use std::collections::BTreeMap;
use std::path::Path;

fn spec(name: &str) -> Isa {
    load(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../specs/riscv").join(name).with_extension("yaml"))
}

#[test]
fn extensions_have_their_instructions() {
    let count = |isa: &Isa| {
        let mut count: BTreeMap<String, usize> = BTreeMap::new();
        for insn in &isa.instructions {
            let group = insn.group.expect("each file has a group");
            *count.entry(isa.groups[group.index()].name.clone()).or_default() += 1;
        }
        count.into_iter().map(|(name, count)| format!("{name} {count}")).collect::<Vec<_>>().join(", ")
    };
    assert_eq!(count(&spec("rv64gc")), "A 22, C 40, D 32, F 30, I 53, M 13, Zicsr 6, Zifencei 1");
    assert_eq!(count(&spec("rv32imac")), "A 11, C 30, I 41, M 8");
}

/// Words at address 0x1000, and their texts.
const TEXTS: &[(&str, &str)] = &[
    ("00000013", "nop"),
    ("00500513", "li a0,5"),
    ("00018793", "mv a5,gp"),
    ("7ff6f913", "and s2,a3,2047"),
    ("fff04013", "not zero,zero"),
    ("00103f13", "seqz t5,zero"),
    ("03b31413", "sll s0,t1,0x3b"),
    ("4188549b", "sraw s1,a6,0x18"),
    ("00000f9b", "sext.w t6,zero"),
    ("400008b3", "neg a7,zero"),
    ("00102233", "sgtz tp,ra"),
    ("00002f33", "sltz t5,zero"),
    ("00008067", "ret"),
    ("00128067", "jr 1(t0)"),
    ("000088e7", "jalr a7,ra"),
    ("94400ee7", "jalr t4,-1724(zero)"),
    ("00c000ef", "jal 0x100c"),
    ("0000006f", "j 0x1000"),
    ("fe000ee3", "beqz zero,0xffc"),
    ("00104063", "bgtz ra,0x1000"),
    ("fffff0ef", "jal 0xffe"),
    ("5f5bbeb7", "lui t4,0x5f5bb"),
    ("58528603", "lb a2,1413(t0)"),
    ("8ead2023", "sw a0,-1824(s10)"),
    ("02f0000f", "fence r,iorw"),
    ("0ff0000f", "fence"),
    ("8330000f", "fence.tso"),
    ("0000100f", "fence.i"),
    ("00000073", "ecall"),
    ("c0001073", "unimp"),
    ("c0102573", "rdtime a0"),
    ("3c3df1f3", "csrrc gp,pmpaddr19,27"),
    ("30551073", "csrw mtvec,a0"),
    ("00101c73", "fsflags s8,zero"),
    ("02958533", "mul a0,a1,s1"),
    ("025158bb", "divuw a7,sp,t0"),
    ("65293d2f", "amoand.d.aq s10,s2,(s2)"),
    ("140bafaf", "lr.w.aq t6,(s7)"),
    ("dbc688cf", "fnmadd.d fa7,fa3,ft8,fs11,rne"),
    ("0018f0c7", "fmsub.s ft1,fa7,ft1,ft0"),
    ("5a001bd3", "fsqrt.d fs7,ft0,rtz"),
    ("22000053", "fmv.d ft0,ft0"),
    ("21c59d53", "fsgnjn.s fs10,fa1,ft8"),
    ("c203a053", "fcvt.w.d zero,ft7,rdn"),
    ("420005d3", "fcvt.d.s fa1,ft0"),
    ("f20f8053", "fmv.d.x ft0,t6"),
    ("0000", "unimp"),
    ("0001", "nop"),
    ("0009", "c.nop 2"),
    ("0020", "add s0,sp,8"),
    ("0089", "add ra,ra,2"),
    ("2081", "sext.w ra,ra"),
    ("6101", "add sp,sp,0"),
    ("6085", "lui ra,0x1"),
    ("7085", "lui ra,0xfffe1"),
    ("8c41", "or s0,s0,s0"),
    ("a001", "j 0x1000"),
    ("c001", "beqz s0,0x1000"),
    ("aaae", "fsd fa1,336(sp)"),
    ("aab8", "fsd fa4,80(a3)"),
    ("8006", "c.mv zero,ra"),
    ("8082", "ret"),
    ("9002", "ebreak"),
    ("908e", "add ra,ra,gp"),
];

#[test]
fn words_print_as_the_tool_prints_them_and_texts_lead_to_the_shortest_word() {
    let isa = spec("rv64gc");
    let codec = Codec::new(&isa);
    for (digits, text) in TEXTS {
        let (word, bits) = (Word::from_str_radix(digits, 16).expect("digits"), 4 * digits.len() as u32);
        let form = codec.decode(word, bits).unwrap_or_else(|e| panic!("{digits}: {e}"));
        let mut printed = String::new();
        codec.print(form, word, 0x1000, &mut printed);
        assert_eq!(printed, *text, "{digits}");
        let (form, read) = codec.parse(text, 0x1000, &|_| None).unwrap_or_else(|e| panic!("`{text}`: {e}"));
        let mut again = String::new();
        codec.print(form, read, 0x1000, &mut again);
        assert!(again == *text && isa.form(form).length <= bits, "`{text}` is read as {read:#x}, `{again}`");
    }
    // The base form of an alias, other names of registers, and the words of both lengths.
    let word = |text: &str| codec.parse(text, 0, &|_| None).map(|(_, word)| format!("{word:x}")).map_err(|e| e.message);
    assert_eq!(word("addi a0,zero,5"), Ok("500513".to_string()));
    assert_eq!(word("jalr zero,0(ra)"), Ok("8067".to_string()));
    assert_eq!(word("mv fp,x10"), Ok("842a".to_string()));
    assert_eq!(word("add a0,a0,1"), Ok("505".to_string()));
    assert_eq!(word("add a0,a1,1"), Ok("158513".to_string()));
    assert_eq!(word("c.addi a0,1"), Ok("505".to_string()));
}

#[test]
fn what_the_manual_reserves_is_refused() {
    let isa = spec("rv64gc");
    let codec = Codec::new(&isa);
    for digits in ["000000f3", "001080f3", "003070bb", "fdc6d8e7", "0004", "0010", "2001", "8002"] {
        let (word, bits) = (Word::from_str_radix(digits, 16).expect("digits"), 4 * digits.len() as u32);
        assert!(codec.decode(word, bits).is_err(), "{digits}");
    }
}
