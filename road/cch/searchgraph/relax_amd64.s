#include "textflag.h"

// The layout of arcs and labels, as in Go.
#define DepthBits 10
#define ArcBits 24
#define FirstArc 2

// func relaxAVX2(labels []uint64, depth, stride int, arcs []WeightedArc, wide []WideArc) bool
//
// Labels are less than 1<<63, so that comparing them as signed numbers, which AVX2 can
// do, is right.
TEXT ·relaxAVX2(SB), NOSPLIT, $0-89
	MOVQ labels_base+0(FP), SI
	MOVQ depth+24(FP), CX
	MOVQ stride+32(FP), BX
	MOVQ arcs_base+40(FP), DX
	MOVQ arcs_len+48(FP), R8
	MOVQ wide_base+64(FP), R9
	MOVQ wide_len+72(FP), R10

	// The labels of the rank have to be in the list: those of all lesser depths are, then.
	LEAQ  1(CX), AX
	IMULQ BX, AX
	CMPQ  AX, labels_len+8(FP)
	JHI   bad

	TESTQ R8, R8
	JZ    good
	SHLQ  $3, BX             // labels to bytes
	MOVQ  CX, DI
	IMULQ BX, DI
	ADDQ  SI, DI             // the labels of the rank
	LEAQ  (DI)(BX*1), R13    // and where they end
	MOVL  $(1<<ArcBits-1), AX
	VMOVQ AX, X5
	VPBROADCASTQ X5, Y5      // what of a label is the arc's number

group: // SI is where the labels of the same lanes at depth 0 are.
	CMPQ DI, R13
	JAE  good
	VMOVDQU (DI), Y0
	VMOVDQU 32(DI), Y1
	XORL R11, R11

arc:
	MOVL  (DX)(R11*4), R12
	INCQ  R11
	TESTL R12, R12
	JS    isWide
	MOVL  R12, AX
	SHRL  $DepthBits, R12
	ANDL  $(1<<DepthBits-1), AX

opened: // AX is the depth, R12 the weight.
	CMPQ  AX, CX
	JAE   bad
	SHLQ  $ArcBits, R12
	LEAQ  (FirstArc-1)(R12)(R11*1), R12
	IMULQ BX, AX
	VMOVQ R12, X2
	VPBROADCASTQ X2, Y2
	VPANDN (SI)(AX*1), Y5, Y3
	VPANDN 32(SI)(AX*1), Y5, Y4
	VPADDQ Y2, Y3, Y3
	VPADDQ Y2, Y4, Y4
	VPCMPGTQ Y3, Y0, Y6
	VPCMPGTQ Y4, Y1, Y7
	VBLENDVPD Y6, Y3, Y0, Y0
	VBLENDVPD Y7, Y4, Y1, Y1
	CMPQ  R11, R8
	JB    arc

	VMOVDQU Y0, (DI)
	VMOVDQU Y1, 32(DI)
	ADDQ $64, DI
	ADDQ $64, SI
	JMP  group

isWide:
	ANDL $0x7fffffff, R12
	CMPQ R12, R10
	JAE  bad
	MOVL (R9)(R12*8), AX
	MOVL 4(R9)(R12*8), R12
	JMP  opened

good:
	VZEROUPPER
	MOVB $1, ret+88(FP)
	RET

bad:
	VZEROUPPER
	MOVB $0, ret+88(FP)
	RET
