; A loop, a branch and a call, for a file of RISC-V.
target triple = "riscv64-unknown-linux-gnu"
declare i64 @outside(i64)
define i64 @sum(ptr %p, i64 %n) {
entry:
  %none = icmp eq i64 %n, 0
  br i1 %none, label %end, label %loop
loop:
  %i = phi i64 [0, %entry], [%next, %loop]
  %s = phi i64 [0, %entry], [%t, %loop]
  %q = getelementptr i64, ptr %p, i64 %i
  %v = load i64, ptr %q
  %t = add i64 %s, %v
  %next = add i64 %i, 1
  %done = icmp eq i64 %next, %n
  br i1 %done, label %end, label %loop
end:
  %r = phi i64 [0, %entry], [%t, %loop]
  ret i64 %r
}
define i64 @twice(i64 %x) {
  %y = call i64 @outside(i64 %x)
  %z = mul i64 %y, 2
  ret i64 %z
}
