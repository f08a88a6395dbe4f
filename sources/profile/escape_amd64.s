#include "textflag.h"

// Sixteen times the same byte.
#define SAME(name, word) \
	DATA name<>+0(SB)/8, $word \
	DATA name<>+8(SB)/8, $word \
	GLOBL name<>(SB), RODATA|NOPTR, $16

SAME(quotes, 0x2222222222222222)
SAME(slashes, 0x5c5c5c5c5c5c5c5c)
SAME(controls, 0x1f1f1f1f1f1f1f1f)
SAME(lettered, 0x0f0f0f0f0f0f0f0f)

// The letters of the escapes \b \t \n \f \r, each at the place of its byte; zero for bytes that have none.
DATA letterOf<>+0(SB)/8, $0
DATA letterOf<>+8(SB)/8, $0x00007266006e7462
GLOBL letterOf<>(SB), RODATA|NOPTR, $16

// func escapeBlocks(dst []byte, src string) (read, written int, high bool)
TEXT ·escapeBlocks(SB), NOSPLIT, $0-57
	PXOR  X7, X7 // every byte that was read, or-ed together
	MOVQ  dst_base+0(FP), DI
	MOVQ  dst_len+8(FP), R9
	MOVQ  src_base+24(FP), SI
	MOVQ  src_len+32(FP), R11
	SUBQ  $32, R9
	JLT   done
	SUBQ  $16, R11
	JLT   done
	ADDQ  DI, R9  // no block is written behind it
	ADDQ  SI, R11 // no block is read behind it
	LEAQ  ·spread(SB), R12
	MOVOU quotes<>(SB), X8
	MOVOU slashes<>(SB), X9
	MOVOU controls<>(SB), X10
	MOVOU lettered<>(SB), X11
	MOVOU letterOf<>(SB), X12
	PXOR  X13, X13

block:
	CMPQ     SI, R11
	JHI      done
	CMPQ     DI, R9
	JHI      done
	MOVOU    (SI), X0
	MOVO     X0, X1
	PCMPEQB  X8, X1
	MOVO     X0, X2
	PCMPEQB  X9, X2
	MOVO     X0, X3
	PMINUB   X10, X3
	PCMPEQB  X0, X3          // the control characters
	POR      X2, X1
	POR      X3, X1
	PMOVMSKB X1, AX
	MOVOU    X0, (DI)
	TESTL    AX, AX
	JNZ      escape
	POR      X0, X7
	ADDQ     $16, SI
	ADDQ     $16, DI
	JMP      block

escape:
	// X4 gets the letters of control characters that have one; a control character without one ends the work here.
	MOVO     X0, X2
	PMINUB   X11, X2
	PCMPEQB  X0, X2
	MOVO     X12, X4
	PSHUFB   X0, X4
	PAND     X2, X4
	MOVO     X4, X5
	PCMPEQB  X13, X5
	PAND     X3, X5
	PMOVMSKB X5, BX
	TESTL    BX, BX
	JNZ      done
	POR      X0, X7
	PANDN    X0, X3
	POR      X4, X3          // the block, letters in place of control characters
	MOVO     X3, X4
	PUNPCKLQDQ X9, X3        // its first half, then backslashes
	PUNPCKHQDQ X9, X4        // its second half, then backslashes
	MOVBLZX  AX, BX
	SHRL     $8, AX
	POPCNTL  BX, CX
	POPCNTL  AX, DX
	SHLQ     $4, BX
	SHLQ     $4, AX
	MOVOU    (R12)(BX*1), X5
	PSHUFB   X5, X3
	MOVOU    (R12)(AX*1), X6
	PSHUFB   X6, X4
	MOVOU    X3, (DI)
	MOVOU    X4, 8(DI)(CX*1)
	ADDQ     CX, DX
	LEAQ     16(DI)(DX*1), DI
	ADDQ     $16, SI
	JMP      block

done:
	PMOVMSKB X7, AX
	TESTL    AX, AX
	SETNE    high+56(FP)
	SUBQ     src_base+24(FP), SI
	MOVQ     SI, read+40(FP)
	SUBQ     dst_base+0(FP), DI
	MOVQ     DI, written+48(FP)
	RET
