package datex2

import (
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
	"testing/iotest"
)

// TestReadInPieces reads a document that comes byte by byte, in halves, with its end and without:
// it is the same. One that breaks off, or whose connection fails, anywhere is none.
func TestReadInPieces(t *testing.T) {
	doc := situationOf(lrPoint(false, 7, "90", "1000") + `<!-- a --> <![CDATA[b]]>` + lrPoint(true, 7.02, "90", "0"))
	whole, err := Read(strings.NewReader(doc))
	if err != nil || len(whole.Records) != 1 {
		t.Fatalf("%v %+v", err, whole)
	}
	for name, r := range map[string]io.Reader{
		"byte by byte": iotest.OneByteReader(strings.NewReader(doc)), "in halves": iotest.HalfReader(strings.NewReader(doc)), "with its end": iotest.DataErrReader(strings.NewReader(doc)), "both": iotest.DataErrReader(iotest.OneByteReader(strings.NewReader(doc))),
	} {
		d, err := Read(r)
		if err != nil || !reflect.DeepEqual(d, whole) {
			t.Errorf("%s: %v %+v", name, err, d)
		}
	}
	broken := errors.New("the connection broke")
	last := strings.LastIndex(doc, "<")
	for cut := 0; cut < last; cut += 7 {
		if _, err := Read(iotest.OneByteReader(strings.NewReader(doc[:cut]))); err == nil {
			t.Errorf("cut off after %d of %d bytes it is read", cut, len(doc))
		}
		if _, err := Read(io.MultiReader(strings.NewReader(doc[:cut]), iotest.ErrReader(broken))); !errors.Is(err, broken) {
			t.Errorf("broken after %d bytes: %v", cut, err)
		}
	}
	if _, err := Read(silent{}); !errors.Is(err, io.ErrNoProgress) {
		t.Errorf("a reader that gives nothing: %v", err)
	}
}

// silent gives neither bytes nor an end.
type silent struct{}

func (silent) Read([]byte) (int, error) { return 0, nil }
