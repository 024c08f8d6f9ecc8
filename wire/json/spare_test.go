package json

import (
	"bytes"
	"strings"
	"testing"
)

// TestFreedBuffersAreWrittenOver writes documents of many lengths in buffers that were
// given up: each has the content of a buffer of its own, and has at least the room
// that was asked for.
func TestFreedBuffersAreWrittenOver(t *testing.T) {
	var held [][]byte
	for i := range 400 {
		n := (i * 7919) % (64 << 10)
		var w Writer
		w.Grow(n)
		if cap(w.b) < n || len(w.b) != 0 {
			t.Fatalf("room for %d of %d bytes, %d of them written", cap(w.b), n, len(w.b))
		}
		text := strings.Repeat(string(rune('a'+i%26)), n)
		w.Open('[')
		w.StringElement(text)
		w.Close(']')
		doc, err := w.Bytes()
		if err != nil || string(doc) != `["`+text+`"]` {
			t.Fatalf("document %d of %d bytes is another: %v", i, n, err)
		}
		if i%3 == 0 {
			held = append(held, doc, bytes.Clone(doc))
		} else {
			Free(doc)
		}
	}
	for i := 0; i < len(held); i += 2 {
		if !bytes.Equal(held[i], held[i+1]) {
			t.Fatalf("document %d was written over, and nobody gave it up", i/2)
		}
	}
}
