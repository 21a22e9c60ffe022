# Operators: all pairs of them, their values and precedence.
        .data
a = 13
b = 3
c = 2
        .dword a * c
        .dword -a * c
        .dword b * c
        .dword a * b * c
        .dword a * b / c
        .dword a * b % c
        .dword a * b << c
        .dword a * b >> c
        .dword a * b | c
        .dword a * b & c
        .dword a * b ^ c
        .dword a * b ! c
        .dword a * b + c
        .dword a * b - c
        .dword a * b == c
        .dword a * b != c
        .dword a * b <> c
        .dword a * b < c
        .dword a * b <= c
        .dword a * b > c
        .dword a * b >= c
        .dword a * b && c
        .dword a * b || c
        .dword a / c
        .dword -a / c
        .dword b / c
        .dword a / b * c
        .dword a / b / c
        .dword a / b % c
        .dword a / b << c
        .dword a / b >> c
        .dword a / b | c
        .dword a / b & c
        .dword a / b ^ c
        .dword a / b ! c
        .dword a / b + c
        .dword a / b - c
        .dword a / b == c
        .dword a / b != c
        .dword a / b <> c
        .dword a / b < c
        .dword a / b <= c
        .dword a / b > c
        .dword a / b >= c
        .dword a / b && c
        .dword a / b || c
        .dword a % c
        .dword -a % c
        .dword b % c
        .dword a % b * c
        .dword a % b / c
        .dword a % b % c
        .dword a % b << c
        .dword a % b >> c
        .dword a % b | c
        .dword a % b & c
        .dword a % b ^ c
        .dword a % b ! c
        .dword a % b + c
        .dword a % b - c
        .dword a % b == c
        .dword a % b != c
        .dword a % b <> c
        .dword a % b < c
        .dword a % b <= c
        .dword a % b > c
        .dword a % b >= c
        .dword a % b && c
        .dword a % b || c
        .dword a << c
        .dword -a << c
        .dword b << c
        .dword a << b * c
        .dword a << b / c
        .dword a << b % c
        .dword a << b << c
        .dword a << b >> c
        .dword a << b | c
        .dword a << b & c
        .dword a << b ^ c
        .dword a << b ! c
        .dword a << b + c
        .dword a << b - c
        .dword a << b == c
        .dword a << b != c
        .dword a << b <> c
        .dword a << b < c
        .dword a << b <= c
        .dword a << b > c
        .dword a << b >= c
        .dword a << b && c
        .dword a << b || c
        .dword a >> c
        .dword -a >> c
        .dword b >> c
        .dword a >> b * c
        .dword a >> b / c
        .dword a >> b % c
        .dword a >> b << c
        .dword a >> b >> c
        .dword a >> b | c
        .dword a >> b & c
        .dword a >> b ^ c
        .dword a >> b ! c
        .dword a >> b + c
        .dword a >> b - c
        .dword a >> b == c
        .dword a >> b != c
        .dword a >> b <> c
        .dword a >> b < c
        .dword a >> b <= c
        .dword a >> b > c
        .dword a >> b >= c
        .dword a >> b && c
        .dword a >> b || c
        .dword a | c
        .dword -a | c
        .dword b | c
        .dword a | b * c
        .dword a | b / c
        .dword a | b % c
        .dword a | b << c
        .dword a | b >> c
        .dword a | b | c
        .dword a | b & c
        .dword a | b ^ c
        .dword a | b ! c
        .dword a | b + c
        .dword a | b - c
        .dword a | b == c
        .dword a | b != c
        .dword a | b <> c
        .dword a | b < c
        .dword a | b <= c
        .dword a | b > c
        .dword a | b >= c
        .dword a | b && c
        .dword a | b || c
        .dword a & c
        .dword -a & c
        .dword b & c
        .dword a & b * c
        .dword a & b / c
        .dword a & b % c
        .dword a & b << c
        .dword a & b >> c
        .dword a & b | c
        .dword a & b & c
        .dword a & b ^ c
        .dword a & b ! c
        .dword a & b + c
        .dword a & b - c
        .dword a & b == c
        .dword a & b != c
        .dword a & b <> c
        .dword a & b < c
        .dword a & b <= c
        .dword a & b > c
        .dword a & b >= c
        .dword a & b && c
        .dword a & b || c
        .dword a ^ c
        .dword -a ^ c
        .dword b ^ c
        .dword a ^ b * c
        .dword a ^ b / c
        .dword a ^ b % c
        .dword a ^ b << c
        .dword a ^ b >> c
        .dword a ^ b | c
        .dword a ^ b & c
        .dword a ^ b ^ c
        .dword a ^ b ! c
        .dword a ^ b + c
        .dword a ^ b - c
        .dword a ^ b == c
        .dword a ^ b != c
        .dword a ^ b <> c
        .dword a ^ b < c
        .dword a ^ b <= c
        .dword a ^ b > c
        .dword a ^ b >= c
        .dword a ^ b && c
        .dword a ^ b || c
        .dword a ! c
        .dword -a ! c
        .dword b ! c
        .dword a ! b * c
        .dword a ! b / c
        .dword a ! b % c
        .dword a ! b << c
        .dword a ! b >> c
        .dword a ! b | c
        .dword a ! b & c
        .dword a ! b ^ c
        .dword a ! b ! c
        .dword a ! b + c
        .dword a ! b - c
        .dword a ! b == c
        .dword a ! b != c
        .dword a ! b <> c
        .dword a ! b < c
        .dword a ! b <= c
        .dword a ! b > c
        .dword a ! b >= c
        .dword a ! b && c
        .dword a ! b || c
        .dword a + c
        .dword -a + c
        .dword b + c
        .dword a + b * c
        .dword a + b / c
        .dword a + b % c
        .dword a + b << c
        .dword a + b >> c
        .dword a + b | c
        .dword a + b & c
        .dword a + b ^ c
        .dword a + b ! c
        .dword a + b + c
        .dword a + b - c
        .dword a + b == c
        .dword a + b != c
        .dword a + b <> c
        .dword a + b < c
        .dword a + b <= c
        .dword a + b > c
        .dword a + b >= c
        .dword a + b && c
        .dword a + b || c
        .dword a - c
        .dword -a - c
        .dword b - c
        .dword a - b * c
        .dword a - b / c
        .dword a - b % c
        .dword a - b << c
        .dword a - b >> c
        .dword a - b | c
        .dword a - b & c
        .dword a - b ^ c
        .dword a - b ! c
        .dword a - b + c
        .dword a - b - c
        .dword a - b == c
        .dword a - b != c
        .dword a - b <> c
        .dword a - b < c
        .dword a - b <= c
        .dword a - b > c
        .dword a - b >= c
        .dword a - b && c
        .dword a - b || c
        .dword a == c
        .dword -a == c
        .dword b == c
        .dword a == b * c
        .dword a == b / c
        .dword a == b % c
        .dword a == b << c
        .dword a == b >> c
        .dword a == b | c
        .dword a == b & c
        .dword a == b ^ c
        .dword a == b ! c
        .dword a == b + c
        .dword a == b - c
        .dword a == b == c
        .dword a == b != c
        .dword a == b <> c
        .dword a == b < c
        .dword a == b <= c
        .dword a == b > c
        .dword a == b >= c
        .dword a == b && c
        .dword a == b || c
        .dword a != c
        .dword -a != c
        .dword b != c
        .dword a != b * c
        .dword a != b / c
        .dword a != b % c
        .dword a != b << c
        .dword a != b >> c
        .dword a != b | c
        .dword a != b & c
        .dword a != b ^ c
        .dword a != b ! c
        .dword a != b + c
        .dword a != b - c
        .dword a != b == c
        .dword a != b != c
        .dword a != b <> c
        .dword a != b < c
        .dword a != b <= c
        .dword a != b > c
        .dword a != b >= c
        .dword a != b && c
        .dword a != b || c
        .dword a <> c
        .dword -a <> c
        .dword b <> c
        .dword a <> b * c
        .dword a <> b / c
        .dword a <> b % c
        .dword a <> b << c
        .dword a <> b >> c
        .dword a <> b | c
        .dword a <> b & c
        .dword a <> b ^ c
        .dword a <> b ! c
        .dword a <> b + c
        .dword a <> b - c
        .dword a <> b == c
        .dword a <> b != c
        .dword a <> b <> c
        .dword a <> b < c
        .dword a <> b <= c
        .dword a <> b > c
        .dword a <> b >= c
        .dword a <> b && c
        .dword a <> b || c
        .dword a < c
        .dword -a < c
        .dword b < c
        .dword a < b * c
        .dword a < b / c
        .dword a < b % c
        .dword a < b << c
        .dword a < b >> c
        .dword a < b | c
        .dword a < b & c
        .dword a < b ^ c
        .dword a < b ! c
        .dword a < b + c
        .dword a < b - c
        .dword a < b == c
        .dword a < b != c
        .dword a < b <> c
        .dword a < b < c
        .dword a < b <= c
        .dword a < b > c
        .dword a < b >= c
        .dword a < b && c
        .dword a < b || c
        .dword a <= c
        .dword -a <= c
        .dword b <= c
        .dword a <= b * c
        .dword a <= b / c
        .dword a <= b % c
        .dword a <= b << c
        .dword a <= b >> c
        .dword a <= b | c
        .dword a <= b & c
        .dword a <= b ^ c
        .dword a <= b ! c
        .dword a <= b + c
        .dword a <= b - c
        .dword a <= b == c
        .dword a <= b != c
        .dword a <= b <> c
        .dword a <= b < c
        .dword a <= b <= c
        .dword a <= b > c
        .dword a <= b >= c
        .dword a <= b && c
        .dword a <= b || c
        .dword a > c
        .dword -a > c
        .dword b > c
        .dword a > b * c
        .dword a > b / c
        .dword a > b % c
        .dword a > b << c
        .dword a > b >> c
        .dword a > b | c
        .dword a > b & c
        .dword a > b ^ c
        .dword a > b ! c
        .dword a > b + c
        .dword a > b - c
        .dword a > b == c
        .dword a > b != c
        .dword a > b <> c
        .dword a > b < c
        .dword a > b <= c
        .dword a > b > c
        .dword a > b >= c
        .dword a > b && c
        .dword a > b || c
        .dword a >= c
        .dword -a >= c
        .dword b >= c
        .dword a >= b * c
        .dword a >= b / c
        .dword a >= b % c
        .dword a >= b << c
        .dword a >= b >> c
        .dword a >= b | c
        .dword a >= b & c
        .dword a >= b ^ c
        .dword a >= b ! c
        .dword a >= b + c
        .dword a >= b - c
        .dword a >= b == c
        .dword a >= b != c
        .dword a >= b <> c
        .dword a >= b < c
        .dword a >= b <= c
        .dword a >= b > c
        .dword a >= b >= c
        .dword a >= b && c
        .dword a >= b || c
        .dword a && c
        .dword -a && c
        .dword b && c
        .dword a && b * c
        .dword a && b / c
        .dword a && b % c
        .dword a && b << c
        .dword a && b >> c
        .dword a && b | c
        .dword a && b & c
        .dword a && b ^ c
        .dword a && b ! c
        .dword a && b + c
        .dword a && b - c
        .dword a && b == c
        .dword a && b != c
        .dword a && b <> c
        .dword a && b < c
        .dword a && b <= c
        .dword a && b > c
        .dword a && b >= c
        .dword a && b && c
        .dword a && b || c
        .dword a || c
        .dword -a || c
        .dword b || c
        .dword a || b * c
        .dword a || b / c
        .dword a || b % c
        .dword a || b << c
        .dword a || b >> c
        .dword a || b | c
        .dword a || b & c
        .dword a || b ^ c
        .dword a || b ! c
        .dword a || b + c
        .dword a || b - c
        .dword a || b == c
        .dword a || b != c
        .dword a || b <> c
        .dword a || b < c
        .dword a || b <= c
        .dword a || b > c
        .dword a || b >= c
        .dword a || b && c
        .dword a || b || c
        .dword -a
        .dword -0
        .dword --b
        .dword -(a - a)
        .dword -a * b, a - -b
        .dword ~a
        .dword ~0
        .dword ~-b
        .dword ~(a - a)
        .dword ~a * b, a - ~b
        .dword !a
        .dword !0
        .dword !-b
        .dword !(a - a)
        .dword !a * b, a - !b
        .dword +a
        .dword +0
        .dword +-b
        .dword +(a - a)
        .dword +a * b, a - +b
        .dword 'a, 'b + 1, 0x7fffffffffffffff + 1, 0xffffffffffffffff >> 1, -1 / 2, -7 % 3, 0b1010, 010 + 0x10
