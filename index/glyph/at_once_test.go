package glyph

import (
	"bytes"
	"fmt"
	"sync"
	"testing"
)

// TestRangesAtOnce has four callers ask for the same glyph files, which nobody asked for
// before: each gets what it gets alone.
func TestRangesAtOnce(t *testing.T) {
	ask := func(f *Fonts) (list [][]byte, err error) {
		for _, start := range []int{0, 256, 1024, 8192} {
			for _, stack := range []string{Regular, Bold + "," + Regular} {
				file, ok := f.Range(stack, start)
				if !ok {
					return nil, fmt.Errorf("%s from %d is not served", stack, start)
				}
				list = append(list, file)
			}
		}
		return list, nil
	}
	want, err := ask(newFonts(t))
	if err != nil {
		t.Fatal(err)
	}
	shared := newFonts(t)
	var all sync.WaitGroup
	for range 4 {
		all.Go(func() {
			got, err := ask(shared)
			if err != nil {
				t.Error(err)
				return
			}
			for i := range got {
				if !bytes.Equal(got[i], want[i]) {
					t.Errorf("file %d is another than alone", i)
				}
			}
		})
	}
	all.Wait()
}
