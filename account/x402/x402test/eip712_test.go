package x402test

import (
	"encoding/hex"
	"math/big"
	"strings"
	"testing"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
)

// TestSpecification recovers the payer of the example in the specification of
// x402 (section 5.2.1), which pins the types, the domain and the encoding.
func TestSpecification(t *testing.T) {
	text, err := digest(USDC(), Authorization{
		From:        "0x857b06519E91e3A54538791bDbb0E22373e36b66",
		To:          "0x209693Bc6afc0C5328bA36FaF03C514EF312287C",
		Value:       "10000",
		ValidAfter:  "1740672089",
		ValidBefore: "1740672154",
		Nonce:       "0xf3746613c2d920b5fdabc0856f2aeb2d4f88ee6037b8cc5d04a71a4462f13480",
	})
	if err != nil {
		t.Fatal(err)
	}
	who, err := signer(text, "0x2d6a7588d6acca505cbf0d9a4a227e0c52c6c34008c8e8986a1283259764173608a2ce6496642e377d6da8dbbf5836e9bd15092f9ecab05ded3d6293af148b571c")
	if err != nil || who != "0x857b06519E91e3A54538791bDbb0E22373e36b66" {
		t.Errorf("signed by %s, %v", who, err)
	}
}

// TestTypes compares with the constants that EIP-3009 and deployed contracts
// print.
func TestTypes(t *testing.T) {
	for text, want := range map[string]string{
		transferType: "7c7c6cdb67a18743f49ec6fa9b35f50d52ed05cbed4cc592e13b44501c1a2267",
		domainType:   "8b73c3c69bb8fe3d512ecc4cf759cc79239f7b179b0ffacaa9a75d522b39400f",
		"":           "c5d2460186f7233c927e7db2dcc703c0e500b653ca82273b7bfad8045d85a470",
	} {
		if got := hex.EncodeToString(keccak([]byte(text))); got != want {
			t.Errorf("%s: %s", text, got)
		}
	}
}

func TestAddress(t *testing.T) {
	for key, want := range map[byte]string{1: "0x7E5F4552091A69125d5DfCb7b8C2659029395Bdf", 2: "0x2B5AD5c4795c026514f8317c7a215E218DcCD6cF"} {
		if got := address(secp256k1.PrivKeyFromBytes([]byte{key}).PubKey()); got != want {
			t.Errorf("key %d: %s", key, got)
		}
	}
}

func TestSignaturesHaveOneForm(t *testing.T) {
	key := secp256k1.PrivKeyFromBytes([]byte{7})
	text := keccak([]byte("something"))
	good := signature(key, text)
	if who, err := signer(text, good); err != nil || who != address(key.PubKey()) {
		t.Fatal(who, err)
	}
	raw, err := fromHex(good, 65)
	if err != nil {
		t.Fatal(err)
	}
	// The other signature of the same digest: s is negated, v turned.
	order, _ := new(big.Int).SetString("fffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141", 16)
	other := append([]byte{}, raw...)
	new(big.Int).Sub(order, new(big.Int).SetBytes(raw[32:64])).FillBytes(other[32:64])
	other[64] = 27 + 28 - raw[64]
	turned := append([]byte{}, raw...)
	turned[64] -= 27
	for name, bad := range map[string]string{
		"upper half": "0x" + hex.EncodeToString(other),
		"v of 0":     "0x" + hex.EncodeToString(turned),
		"short":      good[:len(good)-2],
		"noughts":    "0x" + strings.Repeat("00", 64) + "1b",
		"no mark":    good[2:],
		"order":      "0x" + strings.Repeat("ff", 64) + "1b",
	} {
		if who, err := signer(text, bad); err == nil {
			t.Errorf("%s: %s", name, who)
		}
	}
}
