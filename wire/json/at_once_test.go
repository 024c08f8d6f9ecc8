package json

import (
	"strings"
	"sync"
	"testing"
)

// TestDocumentsAtOnce has four callers write documents in buffers that the others gave
// up, and round numbers of a type that none has met: each document is its own.
func TestDocumentsAtOnce(t *testing.T) {
	type inner struct {
		Metres float64 `decimals:"1"`
	}
	type answer struct{ Parts []inner }
	var all sync.WaitGroup
	for k := range 4 {
		all.Go(func() {
			for i := range 100 {
				a := answer{[]inner{{1.26}, {float64(i) + 0.04}}}
				if Shorten(&a); a.Parts[0].Metres != 1.3 || a.Parts[1].Metres != float64(i) {
					t.Errorf("%+v", a)
				}
				n := leastSpare + (i*7919+k*31)%(16<<10)
				text := strings.Repeat(string(rune('a'+(4*i+k)%26)), n)
				var w Writer
				w.Grow(n)
				w.Open('[')
				w.StringElement(text)
				w.Close(']')
				doc, err := w.Bytes()
				if err != nil || string(doc) != `["`+text+`"]` {
					t.Errorf("document %d of %d bytes is another: %v", i, n, err)
				}
				Free(doc)
			}
		})
	}
	all.Wait()
}
