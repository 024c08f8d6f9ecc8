package narrate_test

import (
	"testing"

	"github.com/waygate/waygate/road/guide"
	"github.com/waygate/waygate/road/guide/sketch"
	"github.com/waygate/waygate/road/narrate"
)

func british(list []guide.Manoeuvre, miles bool) []narrate.Text {
	l, _ := narrate.Find("en-GB")
	return l.Leg(list, miles)
}

func TestSpokenText(t *testing.T) {
	d := sketch.Sketch{
		Picture: `
w..........x...............................e
           .
           s`,
		Cell: 10, Ways: []sketch.Way{{Places: "sx", Name: "Mill Lane"}, {Places: "wxe", Name: "High Street;Old Road", Ref: "A48"}},
	}.Draw()
	p := d.Path("sxe")
	list := guide.Manoeuvres(d.Graph, p, guide.Shape(d.Graph, p), guide.Options{To: guide.LeftSide})
	got := british(list, false)
	for i, want := range []narrate.Text{
		{
			Instruction: "Head north on Mill Lane.",
			Pre:         "Head north on Mill Lane. Then at the end of the road, turn right into High Street / Old Road.",
			Succinct:    "Head north. Then at the end of the road, turn right into High Street / Old Road.",
			Post:        "Continue for 20 metres.", Multi: true,
		},
		{
			Instruction: "At the end of the road, turn right into High Street / Old Road / A48.",
			Alert:       "At the end of the road, turn right into High Street / Old Road.",
			Pre:         "At the end of the road, turn right into High Street / Old Road.",
			Succinct:    "Turn right.", Post: "Continue for 300 metres.",
		},
		{Instruction: "Your destination is on the left.", Alert: "Your destination will be on the left.", Pre: "Your destination is on the left."},
	} {
		if got[i] != want {
			t.Errorf("manoeuvre %d\n got %+v\nwant %+v", i, got[i], want)
		}
	}
}

func TestSpokenLengths(t *testing.T) {
	for _, c := range []struct {
		metres          float64
		metric, british string
	}{
		{3, "10 metres", "10 yards"},
		{44, "40 metres", "50 yards"},
		{120, "100 metres", "150 yards"},
		{380, "400 metres", "a quarter of a mile"},
		{800, "800 metres", "half a mile"},
		{960, "1 kilometre", "half a mile"},
		{1200, "1 kilometre", "three quarters of a mile"},
		{1500, "1.5 kilometres", "1 mile"},
		{3239, "3 kilometres", "2 miles"},
		{15600, "16 kilometres", "9.5 miles"},
		{99700, "100 kilometres", "62 miles"},
	} {
		list := []guide.Manoeuvre{{Type: guide.Start, Metres: c.metres, Seconds: 100}, {Type: guide.Destination}}
		if got, want := british(list, false)[0].Post, "Continue for "+c.metric+"."; got != want {
			t.Errorf("%g m: %q, want %q", c.metres, got, want)
		}
		if got, want := british(list, true)[0].Post, "Continue for "+c.british+"."; got != want {
			t.Errorf("%g m: %q, want %q", c.metres, got, want)
		}
	}
}
