package message_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"google.golang.org/protobuf/encoding/protowire"

	"github.com/waygate/waygate/index/message"
)

var errDamaged = errors.New("damaged")

// listed writes the fields that Fields passes on, in their order.
func listed(raw []byte) (string, error) {
	var all []string
	err := message.Fields(raw, errDamaged, func(number protowire.Number, value uint64, bytes []byte) error {
		all = append(all, fmt.Sprintf("%d=%d %q", number, value, bytes))
		return nil
	})
	return strings.Join(all, ", "), err
}

// field writes a field of each type of the wire.
func field(number protowire.Number, kind protowire.Type, value uint64, bytes string) []byte {
	b := protowire.AppendTag(nil, number, kind)
	switch kind {
	case protowire.VarintType:
		return protowire.AppendVarint(b, value)
	case protowire.Fixed32Type:
		return protowire.AppendFixed32(b, uint32(value))
	case protowire.Fixed64Type:
		return protowire.AppendFixed64(b, value)
	case protowire.StartGroupType:
		return protowire.AppendTag(append(b, bytes...), number, protowire.EndGroupType)
	default:
		return protowire.AppendString(b, bytes)
	}
}

func TestFields(t *testing.T) {
	group := string(field(9, protowire.VarintType, 1, ""))
	for _, c := range []struct {
		what   string
		fields [][]byte
		want   string
	}{
		{"nothing", nil, ""},
		{"a number", [][]byte{field(1, protowire.VarintType, 300, "")}, `1=300 ""`},
		{"the largest number", [][]byte{field(1, protowire.VarintType, 1<<64-1, "")}, `1=18446744073709551615 ""`},
		{"bytes", [][]byte{field(2, protowire.BytesType, 0, "abc")}, `2=0 "abc"`},
		{"no bytes", [][]byte{field(2, protowire.BytesType, 0, "")}, `2=0 ""`},
		{"four bytes", [][]byte{field(3, protowire.Fixed32Type, 1<<32-1, "")}, `3=4294967295 ""`},
		{"eight bytes", [][]byte{field(4, protowire.Fixed64Type, 1<<63, "")}, `4=9223372036854775808 ""`},
		{"the largest field number", [][]byte{field(protowire.MaxValidNumber, protowire.VarintType, 7, "")}, `536870911=7 ""`},
		{"a group, which is passed by whole", [][]byte{field(5, protowire.StartGroupType, 0, group)}, `5=0 ""`},
		{
			"several, of which none has what the one before had",
			[][]byte{field(1, protowire.VarintType, 5, ""), field(2, protowire.BytesType, 0, "x"), field(3, protowire.Fixed32Type, 6, "")},
			`1=5 "", 2=0 "x", 3=6 ""`,
		},
	} {
		raw, ends := []byte(nil), map[int]bool{0: true}
		for _, f := range c.fields {
			raw = append(raw, f...)
			ends[len(raw)] = true
		}
		if got, err := listed(raw); err != nil || got != c.want {
			t.Errorf("%s is read as %s, %v; want %s", c.what, got, err, c.want)
		}
		for n := range len(raw) {
			if _, err := listed(raw[:n]); errors.Is(err, errDamaged) == ends[n] {
				t.Errorf("%s, cut after %d bytes, ends with %v", c.what, n, err)
			}
		}
	}
}

func TestFieldsRefusesWhatIsDamaged(t *testing.T) {
	for what, raw := range map[string][]byte{
		"a tag that does not end":                   {0x80},
		"a tag of more than ten bytes":              {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01},
		"the field number 0":                        {0x00, 0x01},
		"a number that does not end":                {0x08, 0x80},
		"a number of more than 64 bits":             {0x08, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x02},
		"a length beyond the end":                   {0x12, 0x05, 'a'},
		"a length of 2^63":                          {0x12, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x01},
		"three of four bytes":                       {0x1d, 1, 2, 3},
		"seven of eight bytes":                      {0x21, 1, 2, 3, 4, 5, 6, 7},
		"the end of a group that never began":       {0x2c},
		"a group that never ends":                   {0x2b, 0x08, 0x01},
		"a group that ends with another's number":   {0x2b, 0x34},
		"the reserved type 6":                       {0x0e},
		"a whole field with a damaged one after it": {0x08, 0x01, 0x08},
	} {
		if got, err := listed(raw); !errors.Is(err, errDamaged) {
			t.Errorf("%s is read as %s, %v", what, got, err)
		}
	}
}

// TestFieldsEndsWithTheCaller checks that an error of the caller's is returned as it is, and
// that nothing is read after it.
func TestFieldsEndsWithTheCaller(t *testing.T) {
	raw := append(field(1, protowire.VarintType, 1, ""), field(2, protowire.VarintType, 2, "")...)
	raw = append(raw, 0x80) // damaged, which nobody gets to
	enough := errors.New("enough")
	calls := 0
	err := message.Fields(raw, errDamaged, func(number protowire.Number, _ uint64, _ []byte) error {
		calls++
		if number == 2 {
			return enough
		}
		return nil
	})
	if !errors.Is(err, enough) || errors.Is(err, errDamaged) || calls != 2 {
		t.Errorf("it ends with %v after %d fields", err, calls)
	}
}
