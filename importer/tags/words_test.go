package tags

import (
	"testing"

	"github.com/waygate/waygate/road/graph"
)

// TestLastResorts checks to whom words of access that are not a plain yes or no make a road
// a last resort, and to whom they open it.
func TestLastResorts(t *testing.T) {
	const most = graph.Auto | graph.Truck | graph.Bus | graph.Motorcycle | graph.MotorScooter | graph.Bicycle | graph.Pedestrian
	for tags, want := range map[string]struct{ open, shunned graph.Modes }{
		"highway=residential|hgv=unsuitable":                               {most, graph.Truck},
		"highway=residential|hgv=discouraged":                              {most, graph.Truck},
		"highway=residential|hgv=Unsuitable":                               {most, graph.Truck},
		"highway=residential|access:hgv=discouraged":                       {most, graph.Truck},
		"highway=residential|motor_vehicle=discouraged":                    {most, most &^ (graph.Bicycle | graph.Pedestrian)},
		"highway=residential|access=discouraged":                           {most, most},
		"highway=residential|access=discouraged|hgv=yes":                   {most, most &^ graph.Truck},
		"highway=residential|access=discouraged|bus=destination":           {most, most &^ graph.Bus},
		"highway=residential|access=discouraged|hgv=no":                    {most &^ graph.Truck, most &^ graph.Truck},
		"highway=residential|bicycle=avoid":                                {most, graph.Bicycle},
		"highway=residential|motor_vehicle=no|hgv=unsuitable":              {graph.Bicycle | graph.Pedestrian, 0},
		"highway=residential|access=no|hgv=whatever":                       {0, 0},
		"highway=footway|motor_vehicle=unheard":                            {graph.Pedestrian, 0},
		"highway=residential|motor_vehicle=Schranke":                       {most, most &^ (graph.Bicycle | graph.Pedestrian)},
		"highway=residential|hgv=ifo":                                      {most, graph.Truck},
		"highway=residential|psv=service":                                  {most, graph.Bus},
		"highway=residential|access=conditional=yes @ (Mo-Fr 08:00-20:00)": {most, most},
		"highway=residential|foot=bridge":                                  {most, 0},
		"highway=residential|bicycle=shared":                               {most, 0},
		"highway=residential|psv=opposite_lane":                            {most, 0},
		"highway=residential|access=unknown":                               {most, 0},
		"highway=residential|motor_vehicle=agricultural, forestry":         {graph.Bicycle | graph.Pedestrian, 0},
		"highway=residential|motor_vehicle=agricultural;":                  {graph.Bicycle | graph.Pedestrian, 0},
		"highway=residential|motor_vehicle=agricultural;ifo":               {graph.Bicycle | graph.Pedestrian, 0},
		"highway=residential|access:hgv=no":                                {most &^ graph.Truck, 0},
		"highway=residential|access:bus=no|bus=yes":                        {most, 0},
		"highway=footway|access:bicycle=yes":                               {graph.Pedestrian | graph.Bicycle, 0},
	} {
		w, travelled := Read(parse(tags), &britain)
		if !travelled && want.open == 0 {
			continue
		}
		for side, s := range map[string]*Side{"along": &w.Forward, "against": &w.Backward} {
			if s.Access&most != want.open || s.Limits.LastResort&most != want.shunned || s.Limits.LastResort&s.Destination != 0 {
				t.Errorf("%s, %s: open to %s, a last resort to %s; want %s and %s", tags, side,
					drawn(s.Access, s.Destination), drawn(s.Limits.LastResort, 0), drawn(want.open, 0), drawn(want.shunned, 0))
			}
		}
	}
	w := read(t, "highway=residential|hgv:forward=unsuitable", britain)
	if w.Forward.Limits.LastResort != graph.Truck || w.Backward.Limits.LastResort != 0 || len(w.Backward.Attributes) > 0 {
		t.Errorf("%+v and %+v", w.Forward, w.Backward)
	}
	if a := w.Forward.Attributes; len(a) != 2 || a[0] != graph.LastResortKey || a[1] != "hgv:forward=unsuitable" {
		t.Errorf("the reason is %q", a)
	}
	if b, _ := ReadNode(parse("barrier=gate|hgv=unsuitable")); b.Limits.LastResort != graph.Truck || b.Access != graph.AllModes {
		t.Errorf("a gate unsuitable for lorries: %+v", b)
	}
}

// TestUnknownWords checks which tags of access count as not understood.
func TestUnknownWords(t *testing.T) {
	for tags, want := range map[string]int{
		"access=yes": 0, "access=Yes": 0, "access=": 0, "hgv=unsuitable": 0, "psv=opposite_lane": 0, "wheelchair=limited": 0, "access=unknown": 0,
		"motor_vehicle=agricultural, forestry": 0, "access=psv;ifo": 0, "name=ifo": 0, "access:conditional=x": 0, "hgv:lanes=ifo|ifo": 0, "bus=designated": 0,
		"hgv=ifo": 1, "hgv:forward=ifo": 1, "access:hgv=ifo": 1, "foot=bridge": 1, "access=Schranke! Nur fuer Anwohner": 1, "hgv=ifo|foot=cr": 2,
	} {
		if got := UnknownWords(parse(tags)); len(got) != want {
			t.Errorf("%s: %v, want %d", tags, got, want)
		}
	}
}
