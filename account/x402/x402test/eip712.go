package x402test

import (
	"encoding/hex"
	"errors"
	"fmt"
	"math/big"
	"strings"

	"github.com/decred/dcrd/dcrec/secp256k1/v4"
	"github.com/decred/dcrd/dcrec/secp256k1/v4/ecdsa"
	"golang.org/x/crypto/sha3"
)

// The types that are signed, by EIP-712 and EIP-3009.
const (
	domainType   = "EIP712Domain(string name,string version,uint256 chainId,address verifyingContract)"
	transferType = "TransferWithAuthorization(address from,address to,uint256 value,uint256 validAfter,uint256 validBefore,bytes32 nonce)"
)

func keccak(parts ...[]byte) []byte {
	h := sha3.NewLegacyKeccak256()
	for _, p := range parts {
		_, _ = h.Write(p) // a hash takes everything
	}
	return h.Sum(nil)
}

// word returns a number as 32 bytes, big-endian.
func word(n *big.Int) []byte { return n.FillBytes(make([]byte, 32)) }

// padded returns an address as 32 bytes.
func padded(address []byte) []byte { return append(make([]byte, 12, 32), address...) }

// digest returns the digest of a token's authorisation that is signed.
func digest(t Token, a Authorization) ([]byte, error) {
	contract, err := fromHex(t.Asset, 20)
	if err != nil {
		return nil, fmt.Errorf("asset: %w", err)
	}
	from, err1 := fromHex(a.From, 20)
	to, err2 := fromHex(a.To, 20)
	nonce, err3 := fromHex(a.Nonce, 32)
	value, err4 := parseUint256(a.Value)
	after, err5 := parseUint256(a.ValidAfter)
	before, err6 := parseUint256(a.ValidBefore)
	if err := errors.Join(err1, err2, err3, err4, err5, err6); err != nil {
		return nil, err
	}
	domain := keccak(keccak([]byte(domainType)), keccak([]byte(t.Name)), keccak([]byte(t.Version)), word(big.NewInt(t.ChainID)), padded(contract))
	transfer := keccak(keccak([]byte(transferType)), padded(from), padded(to), word(value), word(after), word(before), nonce)
	return keccak([]byte{0x19, 0x01}, domain, transfer), nil
}

// address returns the address of a public key, with the checksum of EIP-55.
func address(key *secp256k1.PublicKey) string {
	digits := hex.EncodeToString(keccak(key.SerializeUncompressed()[1:])[12:])
	sum := keccak([]byte(digits))
	text := []byte(digits)
	for i, c := range text {
		if nibble := sum[i/2] >> (4 * (1 - i%2)) & 15; c >= 'a' && nibble >= 8 {
			text[i] = c - 'a' + 'A'
		}
	}
	return "0x" + string(text)
}

// signature signs a digest and returns r, s and v.
func signature(key *secp256k1.PrivateKey, digest []byte) string {
	compact := ecdsa.SignCompact(key, digest, false) // v, r and s, with v 27 or 28
	return "0x" + hex.EncodeToString(append(compact[1:], compact[0]))
}

// signer returns the address that signed a digest. Like the token's contract it refuses
// the upper half of s, with which one signature would have two forms.
func signer(digest []byte, signature string) (string, error) {
	s, err := fromHex(signature, 65)
	if err != nil {
		return "", err
	}
	if s[64] != 27 && s[64] != 28 {
		return "", fmt.Errorf("v is %d", s[64])
	}
	var low secp256k1.ModNScalar
	if low.SetByteSlice(s[32:64]) || low.IsOverHalfOrder() {
		return "", errors.New("s is in the upper half")
	}
	key, _, err := ecdsa.RecoverCompact(append([]byte{s[64]}, s[:64]...), digest)
	if err != nil {
		return "", err
	}
	return address(key), nil
}

func fromHex(s string, size int) ([]byte, error) {
	digits, ok := strings.CutPrefix(strings.ToLower(s), "0x")
	b, err := hex.DecodeString(digits)
	if !ok || err != nil || len(b) != size {
		return nil, fmt.Errorf("%q is not 0x and %d bytes in hexadecimal", s, size)
	}
	return b, nil
}

func parseUint256(s string) (*big.Int, error) {
	n, ok := new(big.Int).SetString(s, 10)
	if !ok || n.Sign() < 0 || n.BitLen() > 256 {
		return nil, fmt.Errorf("%q is not a number of 256 bits", s)
	}
	return n, nil
}
