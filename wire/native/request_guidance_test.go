package native_test

import (
	"strings"
	"testing"

	"github.com/waygate/waygate/engine"
)

func TestGuidanceInOSRMsForm(t *testing.T) {
	for _, c := range []struct {
		members        []string
		voice, banners bool
		lists          engine.Annotations
		warns          string
	}{
		{[]string{"format", `"osrm"`}, false, false, 0, ""},
		{[]string{"format", `"osrm"`, "voice_instructions", "true", "banner_instructions", "true"}, true, true, 0, ""},
		{[]string{"format", `"osrm"`, "filters", `{"action":"include","attributes":["shape_attributes.speed","shape_attributes.speed_limit","shape_attributes.time","shape_attributes.length"]}`}, false, false, engine.AnnotateDistance | engine.AnnotateDuration | engine.AnnotateSpeed | engine.AnnotateLimit, ""},
		{[]string{"format", `"osrm"`, "filters", `{"attributes":["shape_attributes.time","edge.way_id"]}`}, false, false, engine.AnnotateDuration, "filters.attributes has edge.way_id, which has no effect"},
		{[]string{"format", `"osrm"`, "filters", `{"action":"include","attributes":["node.admin_index","edge.is_urban"]}`}, false, false, 0, ""},
		{[]string{"format", `"osrm"`, "filters", `{"action":"exclude","attributes":["shape_attributes.time"],"more":1}`}, false, false, engine.AnnotateDistance | engine.AnnotateSpeed | engine.AnnotateLimit, "filters.more"},
		{[]string{"voice_instructions", "true"}, false, false, 0, "voice_instructions has an effect with format osrm only"},
		{[]string{"filters", `{"attributes":[]}`}, false, false, 0, "filters has an effect"},
	} {
		for _, can := range []engine.Can{embedded, remote} {
			req, err := route(can, with(c.members...))
			if err != nil {
				t.Errorf("%v: %v", c.members, err)
				continue
			}
			r := &req.Route
			if r.Voice != c.voice || r.Banners != c.banners || r.Annotations != c.lists || len(r.Extra) != 0 {
				t.Errorf("%v: voice %v, banners %v, annotations %b, extra %v", c.members, r.Voice, r.Banners, r.Annotations, r.Extra)
			}
			said := ""
			for _, w := range req.Warnings {
				said += w.Text + "\n"
			}
			if (c.warns == "") != (said == "") || !strings.Contains(said, c.warns) {
				t.Errorf("%v warns %q, want %q", c.members, said, c.warns)
			}
		}
	}
	for members, want := range map[string][3]bool{ // of steps, of instructions, of the kind of road around
		``:                               {true, true, false},
		`"directions_type":"maneuvers",`: {true, false, false},
		`"directions_type":"maneuvers","voice_instructions":true,`:       {true, true, false},
		`"directions_type":"none",`:                                      {false, false, false},
		`"filters":{"action":"include","attributes":["edge.is_urban"]},`: {true, true, true},
		`"filters":{"action":"exclude","attributes":["edge.is_urban"]},`: {true, true, false},
	} {
		req, err := route(embedded, strings.Replace(with("format", `"osrm"`), "{", "{"+members, 1))
		if err != nil {
			t.Fatalf("%s: %v", members, err)
		}
		if r := &req.Route; [3]bool{r.Steps, r.Speaks(), r.Urban} != want {
			t.Errorf("%s: steps %v, instructions %v, urban %v; want %v", members, r.Steps, r.Speaks(), r.Urban, want)
		}
	}
	for _, members := range [][]string{
		{"voice_instructions", `"yes"`}, {"banner_instructions", "1"}, {"filters", "[1]"}, {"filters", `{"action":"drop"}`}, {"filters", `{"attributes":"time"}`},
	} {
		if _, err := route(embedded, with(append(members, "format", `"osrm"`)...)); err == nil {
			t.Errorf("%v was taken", members)
		}
	}
}
