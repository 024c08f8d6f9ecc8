package segments

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/feed/traffic"
	"github.com/waygate/waygate/road/link"
)

func TestRead(t *testing.T) {
	d, err := Read(strings.NewReader("1,2,50\n2,3,0\n\n# a remark\n3 , 4 , 0.3 , 0.9\n4,5,999\nx,5,10\n5,6,-1\n6,7,NaN\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []link.Segment{{From: 1, To: 2, Kmh: 50}, {From: 2, To: 3}, {From: 3, To: 4, Kmh: 1}}
	if !slices.Equal(d.Segments, want) || !d.Delta {
		t.Errorf("got %v, delta %v", d.Segments, d.Delta)
	}
	if got := d.Rejected.Sum(); got != 4 {
		t.Errorf("%d rejected: %v", got, d.Rejected)
	}
}

func TestReadRefuses(t *testing.T) {
	for _, text := range []string{"<html><body>404</body></html>", strings.Repeat("a,b,c\n", 3), strings.Repeat("1", 5000)} {
		if d, err := Read(strings.NewReader(text)); err == nil {
			t.Errorf("%.20q was read: %v", text, d.Segments)
		}
	}
}

func FuzzRead(f *testing.F) {
	f.Add([]byte("1,2,50\n2,3,0,1.5\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := Read(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, s := range d.Segments {
			if s.From < 0 || s.To < 0 || s.Kmh > traffic.MaxKmh {
				t.Fatalf("read %v", s)
			}
		}
	})
}
