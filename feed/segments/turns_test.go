package segments

import (
	"bytes"
	"slices"
	"strings"
	"testing"

	"github.com/waygate/waygate/road/link"
)

func TestReadTurns(t *testing.T) {
	d, err := ReadTurns(strings.NewReader("1,2,3,15.5\n2,3,4,0,1.2\n\n# a remark\n4 , 5 , 6 , 3276.7 , 9\n4,5,6,-1\n4,5,7,3277\n5,6,7\n6,7,x,1\n6,7,8,NaN\n1,2,3,20\n"))
	if err != nil {
		t.Fatal(err)
	}
	want := []link.Turn{{From: 1, Via: 2, To: 3, Seconds: 15.5}, {From: 2, Via: 3, To: 4}, {From: 4, Via: 5, To: 6, Seconds: 3276.7}, {From: 1, Via: 2, To: 3, Seconds: 20}}
	if !slices.Equal(d.Turns, want) || !d.Delta {
		t.Errorf("got %v, delta %v", d.Turns, d.Delta)
	}
	if got := d.Rejected; got["penalty out of range"] != 2 || got.Sum() != 5 {
		t.Errorf("rejected: %v", got)
	}
}

func TestReadTurnsRefuses(t *testing.T) {
	for _, text := range []string{"<html><body>404</body></html>", strings.Repeat("1,2,50\n", 3), strings.Repeat("1", 5000)} {
		if d, err := ReadTurns(strings.NewReader(text)); err == nil {
			t.Errorf("%.20q was read: %v", text, d.Turns)
		}
	}
}

func TestAreTurns(t *testing.T) {
	for line, want := range map[string]bool{
		"240949599,2606600432,265331498,7.5": true, "240949599, 2606600432, 265331498, 7.5, 1": true,
		"240949599,2606600432,50": false, "240949599,2606600432,50,1.5": false, "240949599,2606600432,250.5,1": false, "": false, "a,b,c,d": false,
	} {
		if got := AreTurns([]byte(line)); got != want {
			t.Errorf("%q: %v", line, got)
		}
	}
}

func FuzzReadTurns(f *testing.F) {
	f.Add([]byte("1,2,3,15.5\n2,3,4,0,1.5\n"))
	f.Fuzz(func(t *testing.T, data []byte) {
		d, err := ReadTurns(bytes.NewReader(data))
		if err != nil {
			return
		}
		for _, x := range d.Turns {
			if x.From < 0 || x.Via < 0 || x.To < 0 || !(x.Seconds >= 0 && x.Seconds <= maxPenalty) {
				t.Fatalf("read %v", x)
			}
		}
	})
}
