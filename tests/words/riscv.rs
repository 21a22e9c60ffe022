//! RV64GC, RV64GCB, RV32GC and RV32IMAC, compositions of the same files: what they have, and the texts of words as GNU objdump 2.40 prints them, with
//! aliases and without, by the engine and by the reference codec.

use harness::shipped_isa;
use isa_reference::codec::Codec;
use isa_runtime::engine::print::Out;
use isa_runtime::engine::read::{Lengths, Reader, no_symbols};
use isa_runtime::engine::{Tables, image};
use isa_spec::model::{FormId, Isa, Word};
use std::collections::BTreeMap;
use std::fs;
use std::path::Path;

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
    assert_eq!(count(shipped_isa("rv64gc")), "A 22, C 40, D 32, F 30, I 53, M 13, Machine 2, Zicsr 6, Zifencei 1");
    let bits = "Zba 8, Zbb 24, Zbs 8, Zicond 2";
    assert_eq!(
        count(shipped_isa("rv64gcb")),
        format!("A 22, C 40, D 32, F 30, I 53, M 13, Machine 2, {bits}, Zicsr 6, Zifencei 1")
    );
    assert_eq!(count(shipped_isa("rv32gc")), "A 11, C 38, D 26, F 26, I 41, M 8, Machine 2, Zicsr 6, Zifencei 1");
    assert_eq!(count(shipped_isa("rv32imac")), "A 11, C 30, I 41, M 8, Machine 2, Zicsr 6, Zifencei 1");
}

/// The parts written by hand are short: RV64GC without the names and numbers of registers and calls and without the
/// pseudo-instructions of an assembler, the additions of RV64GCB, and machine mode.
#[test]
fn the_specification_is_short() {
    let riscv = isa_specs::FILES.iter().filter(|file| file.0.starts_with("riscv/")).map(|file| file.0);
    let is_named = |path: &&str| shipped_text("rv64gcb.yaml").contains(path);
    let is_list =
        |path: &&str| ["assembly.yaml", "csr.yaml", "linux32.yaml", "linux64.yaml"].iter().any(|list| path.ends_with(list));
    let (besides, rv64gc): (Vec<&str>, Vec<&str>) = riscv.filter(|path| !is_list(path)).partition(is_named);
    let (machine, rv64gc): (Vec<&str>, Vec<&str>) = rv64gc.into_iter().partition(|path| *path == "riscv/machine.yaml");
    assert_eq!(machine.len(), 1);
    let all = [
        ("rv64gc.yaml", rv64gc, 430, 32_000),
        ("rv64gcb.yaml", besides, 80, 6_000),
        ("riscv/machine.yaml", Vec::new(), 120, 7_000),
    ];
    for (whole, parts, most_lines, most_bytes) in all {
        let texts: Vec<&str> = parts.into_iter().chain([whole]).map(shipped_text).collect();
        let lines = || texts.iter().flat_map(|text| text.lines());
        assert!(
            lines().count() <= most_lines && lines().all(|line| line.chars().count() <= 140),
            "{whole}: {} lines",
            lines().count()
        );
        assert!(texts.iter().map(|text| text.len()).sum::<usize>() <= most_bytes, "{whole}");
    }
}

/// Words of RV64GC at address 0x1000, their texts, and their texts without aliases where these are others.
const TEXTS: &[(&str, &str, &str)] = &[
    ("00000013", "nop", "addi zero,zero,0"),
    ("00500513", "li a0,5", "addi a0,zero,5"),
    ("00018793", "mv a5,gp", "addi a5,gp,0"),
    ("7ff6f913", "and s2,a3,2047", "andi s2,a3,2047"),
    ("fff04013", "not zero,zero", "xori zero,zero,-1"),
    ("00103f13", "seqz t5,zero", "sltiu t5,zero,1"),
    ("03b31413", "sll s0,t1,0x3b", "slli s0,t1,0x3b"),
    ("4188549b", "sraw s1,a6,0x18", "sraiw s1,a6,0x18"),
    ("00000f9b", "sext.w t6,zero", "addiw t6,zero,0"),
    ("400008b3", "neg a7,zero", "sub a7,zero,zero"),
    ("00102233", "sgtz tp,ra", "slt tp,zero,ra"),
    ("00002f33", "sltz t5,zero", "slt t5,zero,zero"),
    ("00008067", "ret", "jalr zero,0(ra)"),
    ("00128067", "jr 1(t0)", "jalr zero,1(t0)"),
    ("000088e7", "jalr a7,ra", "jalr a7,0(ra)"),
    ("94400ee7", "jalr t4,-1724(zero)", ""),
    ("00c000ef", "jal 0x100c", "jal ra,0x100c"),
    ("0000006f", "j 0x1000", "jal zero,0x1000"),
    ("fe000ee3", "beqz zero,0xffc", "beq zero,zero,0xffc"),
    ("00104063", "bgtz ra,0x1000", "blt zero,ra,0x1000"),
    ("fffff0ef", "jal 0xffe", "jal ra,0xffe"),
    ("5f5bbeb7", "lui t4,0x5f5bb", ""),
    ("58528603", "lb a2,1413(t0)", ""),
    ("8ead2023", "sw a0,-1824(s10)", ""),
    ("02f0000f", "fence r,iorw", ""),
    ("0ff0000f", "fence", "fence iorw,iorw"),
    ("8330000f", "fence.tso", ""),
    ("0000100f", "fence.i", ""),
    ("00000073", "ecall", ""),
    ("c0001073", "unimp", "csrrw zero,cycle,zero"),
    ("c0102573", "rdtime a0", "csrrs a0,time,zero"),
    ("3c3df1f3", "csrrc gp,pmpaddr19,27", "csrrci gp,pmpaddr19,27"),
    ("30551073", "csrw mtvec,a0", "csrrw zero,mtvec,a0"),
    ("7c0020f3", "csrr ra,0x7c0", "csrrs ra,0x7c0,zero"),
    ("00101c73", "fsflags s8,zero", "csrrw s8,fflags,zero"),
    ("00171073", "fsflags a4", "csrrw zero,fflags,a4"),
    ("00259073", "fsrm a1", "csrrw zero,frm,a1"),
    ("00359073", "fscsr a1", "csrrw zero,fcsr,a1"),
    ("0ff7f793", "zext.b a5,a5", "andi a5,a5,255"),
    ("02958533", "mul a0,a1,s1", ""),
    ("025158bb", "divuw a7,sp,t0", ""),
    ("65293d2f", "amoand.d.aq s10,s2,(s2)", ""),
    ("140bafaf", "lr.w.aq t6,(s7)", ""),
    ("dbc688cf", "fnmadd.d fa7,fa3,ft8,fs11,rne", ""),
    ("0018f0c7", "fmsub.s ft1,fa7,ft1,ft0", ""),
    ("5a001bd3", "fsqrt.d fs7,ft0,rtz", ""),
    ("22000053", "fmv.d ft0,ft0", "fsgnj.d ft0,ft0,ft0"),
    ("21c59d53", "fsgnjn.s fs10,fa1,ft8", ""),
    ("c203a053", "fcvt.w.d zero,ft7,rdn", ""),
    ("420005d3", "fcvt.d.s fa1,ft0", ""),
    ("f20f8053", "fmv.d.x ft0,t6", ""),
    ("0000", "unimp", "c.unimp"),
    ("0001", "nop", "c.addi zero,0"),
    ("0009", "c.nop 2", "c.addi zero,2"),
    ("0020", "add s0,sp,8", "c.addi4spn s0,sp,8"),
    ("0081", "add ra,ra,0", "c.addi ra,0"),
    ("0089", "add ra,ra,2", "c.addi ra,2"),
    ("4015", "c.li zero,5", ""),
    ("2081", "sext.w ra,ra", "c.addiw ra,0"),
    ("6101", "add sp,sp,0", "c.addi16sp sp,0"),
    ("6085", "lui ra,0x1", "c.lui ra,0x1"),
    ("7085", "lui ra,0xfffe1", "c.lui ra,0xfffe1"),
    ("8c41", "or s0,s0,s0", "c.or s0,s0"),
    ("a001", "j 0x1000", "c.j 0x1000"),
    ("c001", "beqz s0,0x1000", "c.beqz s0,0x1000"),
    ("aaae", "fsd fa1,336(sp)", "c.fsdsp fa1,336(sp)"),
    ("aab8", "fsd fa4,80(a3)", "c.fsd fa4,80(a3)"),
    ("8006", "c.mv zero,ra", ""),
    ("8082", "ret", "c.jr ra"),
    ("9002", "ebreak", "c.ebreak"),
    ("908e", "add ra,ra,gp", "c.add ra,gp"),
];

/// The same of RV32GC: what RV64GC has not, or has as something else.
const TEXTS_OF_32_BITS: &[(&str, &str, &str)] = &[
    ("01f31413", "sll s0,t1,0x1f", "slli s0,t1,0x1f"),
    ("c8002573", "rdcycleh a0", "csrrs a0,cycleh,zero"),
    ("c81025f3", "rdtimeh a1", "csrrs a1,timeh,zero"),
    ("c0202673", "rdinstret a2", "csrrs a2,instret,zero"),
    ("00301573", "fscsr a0,zero", "csrrw a0,fcsr,zero"),
    ("00f5a507", "flw fa0,15(a1)", ""),
    ("8103bc27", "fsd fa6,-2024(t2)", ""),
    ("c0051553", "fcvt.w.s a0,fa0,rtz", ""),
    ("d2150553", "fcvt.d.wu fa0,a0", ""),
    ("e00505d3", "fmv.x.w a1,fa0", ""),
    ("f0058553", "fmv.w.x fa0,a1", ""),
    ("6000", "flw fs0,0(s0)", "c.flw fs0,0(s0)"),
    ("7fec", "flw fa1,124(a5)", "c.flw fa1,124(a5)"),
    ("e110", "fsw fa2,0(a0)", "c.fsw fa2,0(a0)"),
    ("3d34", "fld fa3,120(a0)", "c.fld fa3,120(a0)"),
    ("bdf8", "fsd fa4,248(a1)", "c.fsd fa4,248(a1)"),
    ("6002", "flw ft0,0(sp)", "c.flwsp ft0,0(sp)"),
    ("7ffe", "flw ft11,252(sp)", "c.flwsp ft11,252(sp)"),
    ("fdfe", "fsw ft11,248(sp)", "c.fswsp ft11,248(sp)"),
    ("2502", "fld fa0,0(sp)", "c.fldsp fa0,0(sp)"),
    ("aaae", "fsd fa1,336(sp)", "c.fsdsp fa1,336(sp)"),
    ("2001", "jal 0x1000", "c.jal 0x1000"),
    ("3ffd", "jal 0xffe", "c.jal 0xffe"),
];

/// The same for the additions of RV64GCB. Those of Zicond follow its manual: objdump 2.40 does not have it.
const TEXTS_OF_BITS: &[(&str, &str, &str)] = &[
    ("21672fb3", "sh1add t6,a4,s6", ""),
    ("20cbcf33", "sh2add t5,s7,a2", ""),
    ("201fe933", "sh3add s2,t6,ra", ""),
    ("20d823bb", "sh1add.uw t2,a6,a3", ""),
    ("213c473b", "sh2add.uw a4,s8,s3", ""),
    ("200fe73b", "sh3add.uw a4,t6,zero", ""),
    ("08028dbb", "zext.w s11,t0", "add.uw s11,t0,zero"),
    ("099d8c3b", "add.uw s8,s11,s9", ""),
    ("402ef533", "andn a0,t4,sp", ""),
    ("41fae833", "orn a6,s5,t6", ""),
    ("407c4833", "xnor a6,s8,t2", ""),
    ("0a444b33", "min s6,s0,tp", ""),
    ("0b8adf33", "minu t5,s5,s8", ""),
    ("0bb6e1b3", "max gp,a3,s11", ""),
    ("0adff8b3", "maxu a7,t6,a3", ""),
    ("61e29cb3", "rol s9,t0,t5", ""),
    ("60f35733", "ror a4,t1,a5", ""),
    ("61ae1a3b", "rolw s4,t3,s10", ""),
    ("6190d1bb", "rorw gp,ra,s9", ""),
    ("482e91b3", "bclr gp,t4,sp", ""),
    ("4907d233", "bext tp,a5,a6", ""),
    ("698991b3", "binv gp,s3,s8", ""),
    ("28eb9db3", "bset s11,s7,a4", ""),
    ("0882149b", "slli.uw s1,tp,0x8", ""),
    ("63955e13", "ror t3,a0,0x39", "rori t3,a0,0x39"),
    ("6172d19b", "rorw gp,t0,0x17", "roriw gp,t0,0x17"),
    ("48ca1493", "bclr s1,s4,0xc", "bclri s1,s4,0xc"),
    ("49335a93", "bext s5,t1,0x13", "bexti s5,t1,0x13"),
    ("6ad59213", "binv tp,a1,0x2d", "binvi tp,a1,0x2d"),
    ("2ad49713", "bset a4,s1,0x2d", "bseti a4,s1,0x2d"),
    ("60061a93", "clz s5,a2", ""),
    ("601c1213", "ctz tp,s8", ""),
    ("602a1893", "cpop a7,s4", ""),
    ("60021a9b", "clzw s5,tp", ""),
    ("6014979b", "ctzw a5,s1", ""),
    ("602c921b", "cpopw tp,s9", ""),
    ("60449313", "sext.b t1,s1", ""),
    ("60519013", "sext.h zero,gp", ""),
    ("08054a3b", "zext.h s4,a0", ""),
    ("6b8ed213", "rev8 tp,t4", ""),
    ("28735f13", "orc.b t5,t1", ""),
    ("0eb55533", "czero.eqz a0,a0,a1", ""),
    ("0eb57533", "czero.nez a0,a0,a1", ""),
];

/// The same of these extensions with 32 bits.
const TEXTS_OF_BITS_OF_32: &[(&str, &str, &str)] = &[
    ("21c720b3", "sh1add ra,a4,t3", ""),
    ("61fed893", "ror a7,t4,0x1f", "rori a7,t4,0x1f"),
    ("29f21a93", "bset s5,tp,0x1f", "bseti s5,tp,0x1f"),
    ("60099693", "clz a3,s3", ""),
    ("08004333", "zext.h t1,zero", ""),
    ("698a5c13", "rev8 s8,s4", ""),
];

#[test]
fn words_print_with_aliases_and_without_and_are_read_back() {
    for (name, texts) in [("rv64gc", TEXTS), ("rv64gcb", TEXTS), ("rv64gcb", TEXTS_OF_BITS), ("rv32gc", TEXTS_OF_32_BITS)] {
        print_and_are_read_back(shipped_isa(name), texts);
    }
    for texts in [TEXTS_OF_32_BITS, TEXTS_OF_BITS_OF_32] {
        print_and_are_read_back(&rv32gcb(), texts);
    }
}

/// RV32GC with the extensions of RV64GCB.
fn rv32gcb() -> Isa {
    let patch = shipped_text("rv64gcb.yaml").replace("rv64gc", "rv32gc").replace("\nsummary", "\nparams: { XLEN: 32 }\nsummary");
    let files: Vec<(&str, &str)> = isa_specs::FILES.iter().copied().chain([("rv32gcb.yaml", patch.as_str())]).collect();
    isa_spec::load_texts("rv32gcb.yaml", &files).isa.expect("a good specification")
}

fn shipped_text(path: &str) -> &'static str {
    isa_specs::FILES.iter().find(|file| file.0 == path).expect("it is shipped").1
}

fn print_and_are_read_back(isa: &Isa, texts: &[(&str, &str, &str)]) {
    let image = isa_tables::image(isa).expect("tables");
    let tables: Tables<'_, u32> = image::read(&image).expect("an image");
    let mut room = vec![0; tables.room()];
    for has_aliases in [true, false] {
        let codec = Codec::new(isa);
        let codec = if has_aliases { codec } else { codec.without_aliases() };
        let reader = || Reader::new(tables);
        let mut reader = if has_aliases { reader() } else { reader().without_aliases() };
        for (digits, text, base) in texts {
            let text = if has_aliases || base.is_empty() { *text } else { *base };
            let (word, bits) = (u32::from_str_radix(digits, 16).expect("digits"), 4 * digits.len() as u32);
            let form = codec.decode(word.into(), bits).unwrap_or_else(|e| panic!("{digits}: {e}"));
            let mut printed = String::new();
            codec.print(form, word.into(), 0x1000, &mut printed);
            assert_eq!(printed, text, "{digits}");
            let texts = tables.texts(form.0 as u16);
            let mut out = Out::new(&mut room);
            tables.print(if has_aliases { texts.text } else { texts.base }, word, 0x1000, &[], &mut out);
            assert_eq!(String::from_utf8_lossy(out.as_bytes()), text, "{digits}: the engine");
            // A word of the same text, and no longer one.
            let read = reader.read(text, 0x1000, &no_symbols).unwrap_or_else(|e| panic!("`{text}`: {e}"));
            assert_eq!(codec.parse(text, 0x1000, &|_| None), Ok((FormId(read.form.into()), read.word.into())), "`{text}`");
            let mut again = String::new();
            codec.print(FormId(read.form.into()), read.word.into(), 0x1000, &mut again);
            assert!(again == text && isa.forms[usize::from(read.form)].length <= bits, "`{text}` is read as {again}");
            // The output of `--full` is read as the very word, in the way in which it is printed and in the usual one.
            let mut full = String::new();
            reader.print_full(form.0 as u16, word, 0x1000, &mut full);
            let mut other = String::new();
            codec.print_full(form, word.into(), 0x1000, &mut other);
            assert_eq!(full, other, "{digits}");
            for reader in [&mut Reader::new(tables), &mut reader] {
                let found = reader.read(&full, 0x1000, &no_symbols).unwrap_or_else(|e| panic!("`{full}`: {e}"));
                assert_eq!((found.word, found.form), (word, form.0 as u16), "`{full}`");
            }
        }
    }
}

#[test]
fn texts_are_read_in_several_ways() {
    let isa = shipped_isa("rv64gc");
    let codec = Codec::new(isa);
    let image = isa_tables::image(isa).expect("tables");
    let tables: Tables<'_, u32> = image::read(&image).expect("an image");
    let word = |text: &str, lengths: Lengths| {
        let reference = Codec::new(isa).with_lengths(lengths).parse(text, 0, &|_| None).map(|(_, word)| format!("{word:x}"));
        let read = Reader::new(tables).with_lengths(lengths).read(text, 0, &no_symbols).map(|read| format!("{:x}", read.word));
        assert_eq!(reference.as_ref().ok(), read.as_ref().ok(), "`{text}`");
        reference.map_err(|e| e.to_string())
    };
    let preferred = |text: &str| word(text, Lengths::Preferred);
    // The base form of an alias, other names of registers, and the words of both lengths.
    assert_eq!(preferred("addi a0,zero,5"), Ok("4515".to_string()));
    assert_eq!(preferred("jalr zero,0(ra)"), Ok("8082".to_string()));
    assert_eq!(preferred("addi a1,a1,-1"), Ok("15fd".to_string()));
    assert_eq!(preferred("beq a0,zero,0x20"), Ok("c105".to_string()));
    assert_eq!(preferred("lw a0,4(x2)"), Ok("4512".to_string()));
    assert_eq!(preferred("addi a1,a1,-1 {32 bits}"), Ok("fff58593".to_string()));
    assert_eq!(preferred("addi a1,a1,-33"), Ok("fdf58593".to_string()));
    assert_eq!(preferred("li a0,010"), Ok("4521".to_string()));
    assert_eq!(preferred("mv fp,x10"), Ok("842a".to_string()));
    assert_eq!(preferred("lw x8,0(x9)"), Ok("4080".to_string()));
    assert_eq!(preferred("add a0,a0,1"), Ok("505".to_string()));
    assert_eq!(preferred("add a0,a1,1"), Ok("158513".to_string()));
    assert_eq!(preferred("c.addi a0,1"), Ok("505".to_string()));
    assert_eq!(preferred("lui a0,0xfffe1"), Ok("7505".to_string()));
    assert_eq!(word("add a0,a0,1", Lengths::LongestFirst), Ok("150513".to_string()));
    // Aliases of words that print a more specific one.
    assert_eq!(preferred("jr ra"), Ok("8082".to_string()));
    assert_eq!(word("jr ra", Lengths::LongestFirst), Ok("8067".to_string()));
    assert_eq!(preferred("mv a0, zero"), Ok("4501".to_string()));
    assert_eq!(preferred("csrr a0, time"), Ok("c0102573".to_string()));
    assert_eq!(preferred("addw a0,a1,0"), Ok("5851b".to_string()));
    assert_eq!(preferred("fsrm zero,a0"), Ok("251073".to_string()));
    // The shorter word with this text, `unimp`, is not an encoding of it.
    assert_eq!(preferred("csrrw zero,cycle,zero"), Ok("c0001073".to_string()));
    assert_eq!(preferred("unimp"), Ok("0".to_string()));
    // Numbers of an enumeration, also of values with a name.
    assert_eq!(preferred("csrr a0,768"), Ok("30002573".to_string()));
    assert_eq!(preferred("csrw 0b11111000000,a0"), Ok("7c051073".to_string()));
    assert_eq!(preferred("csrr a0,0x1000"), Err("0x1000 is out of range: `csr` takes 0x0 to 0xfff".to_string()));
    assert_eq!(word("c.addi a0,1", Lengths::LongestFirst), Ok("505".to_string()));
    assert_eq!(word("add a0,a0,1 {16 bits}", Lengths::LongestFirst), Ok("505".to_string()));
    assert_eq!(word("add a0,a0,1", Lengths::Only(32)), Ok("150513".to_string()));
    assert!(word("c.addi a0,1", Lengths::Only(32)).is_err());
    // A text that both ways of printing have is read by each as its own.
    let base = Codec::new(isa).without_aliases();
    assert_eq!(preferred("add a0,a0,a1"), Ok("952e".to_string()));
    assert_eq!(base.parse("add a0,a0,a1", 0, &|_| None).map(|r| r.1), Ok(Word::from(0xb5_0533_u64)));
    assert_eq!(codec.parse("add a0,a0,a1", 0, &|_| None).map(|r| r.1), Ok(Word::from(0x952e_u64)));
}

#[test]
fn what_the_manual_reserves_is_refused() {
    let both = ["000000f3", "001080f3", "003070bb", "fdc6d8e7", "0004", "0010", "8002"];
    // c.addiw of zero; then ld, lwu, sd, addiw, a shift by 32, fcvt.l.s, fcvt.d.l, fmv.x.d, fmv.d.x and compressed shifts.
    let of_32_bits = [
        "0005b503", "0005e503", "00a5b023", "0015051b", "02051513", "c0250553", "d2250553", "e2050553", "f2050553", "1506",
        "9005",
    ];
    for (name, own) in [("rv64gc", &["2001"][..]), ("rv32gc", &of_32_bits)] {
        let isa = shipped_isa(name);
        let codec = Codec::new(isa);
        for digits in both.iter().chain(own) {
            let (word, bits) = (Word::from_str_radix(digits, 16).expect("digits"), 4 * digits.len() as u32);
            assert!(codec.decode(word, bits).is_err(), "{name}: {digits}");
        }
    }
}

/// A compressed instruction behaves like the one that it expands to, on the registers that its fields name.
#[test]
fn compressed_instructions_have_the_meaning_of_others() {
    let isa = shipped_isa("rv64gc");
    let short = isa.forms.iter().filter(|form| form.length == 16);
    let without: Vec<&str> = short.filter(|form| form.behaviour.is_none()).map(|form| form.name.as_str()).collect();
    assert_eq!(without, [""; 0]);
    let form = isa.forms.iter().find(|form| form.name == "c.sub").expect("c.sub");
    let named = |access: &isa_spec::model::Access| (form.fields[access.field].name.clone(), access.reads, access.writes);
    let accesses: Vec<_> = form.accesses.iter().map(named).collect();
    let [rd, rs2] = ["rd", "rs2"].map(str::to_string);
    assert_eq!(accesses, [(rd.clone(), 1, 0), (rd, 0, 1), (rs2, 1, 0)]);
}

/// Each instruction's mask and value are those of riscv-opcodes (a checkout of it is in the folder that `RISCV_OPCODES` names), but
/// for those that objdump refuses with bits that the manual ignores, and for `c.lui`, whose immediate is not 0.
#[test]
#[ignore = "needs a checkout of riscv-opcodes, which RISCV_OPCODES names"]
fn encodings_are_those_of_riscv_opcodes() {
    let folder = std::env::var_os("RISCV_OPCODES").expect("RISCV_OPCODES names a checkout of riscv-opcodes");
    let folder = Path::new(&folder).join("extensions");
    let isa = shipped_isa("rv64gc");
    let mut compared = 0;
    let files = ["i", "m", "a", "f", "d", "c", "c_d", "zicsr", "zifencei"];
    for (base, file) in ["rv_", "rv64_"].iter().flat_map(|base| files.map(|file| (base, file))) {
        let Ok(text) = fs::read_to_string(folder.join(format!("{base}{file}"))) else { continue };
        for line in text.lines().filter(|line| !line.trim_start().starts_with(['#', '$']) && !line.trim().is_empty()) {
            let mut words = line.split_whitespace();
            let name = words.next().unwrap_or_default().replace('_', ".");
            let Some(insn) = isa.instructions.iter().find(|insn| insn.name == name) else { continue };
            let (mut mask, mut value) = (Word::ZERO, Word::ZERO);
            for (bits, number) in words.filter_map(|word| word.split_once('=')) {
                let (hi, lo) = bits.split_once("..").unwrap_or((bits, bits));
                let (Ok(hi), Ok(lo)) = (hi.parse::<u32>(), lo.parse::<u32>()) else { continue };
                let number = isa_runtime::literal::word(number).unwrap_or_else(|why| panic!("{line}: {why}"));
                mask |= Word::ones(hi - lo + 1) << lo;
                value |= number << lo;
            }
            let form = &isa.forms_of(insn)[0];
            compared += 1;
            let is_known = ["fence", "fence.i", "fcvt.d.s", "fcvt.d.w", "fcvt.d.wu", "c.lui"].contains(&name.as_str());
            assert!(is_known || (form.mask, form.value) == (mask, value), "{name}: {:x} {mask:x}", form.mask);
        }
    }
    assert!(compared > 150, "{compared} instructions of {}", folder.display());
}
