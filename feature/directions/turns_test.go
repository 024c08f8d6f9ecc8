package directions_test

import (
	"encoding/json"
	"testing"

	"github.com/waygate/waygate/engine"
	"github.com/waygate/waygate/feature/directions"
	"github.com/waygate/waygate/geo"
)

const (
	nativeTurns = `{"trip": {"legs": [{"maneuvers": [
		{"type":1,"instruction":"Go.","begin_shape_index":0},
		{"type":10,"instruction":"Right.","begin_shape_index":1,"bearing_before":90} ,
		{"type":26,"instruction":"Round.","begin_shape_index":1}],"shape":"???AA?"},
		{"maneuvers":[{"type":24,"instruction":"Left {\"[.","begin_shape_index":2}],"shape":"???AA?"}]},
		"alternates":[{"trip":{"legs":[{"maneuvers":[{"type":15,"instruction":"Else.","begin_shape_index":1}],"shape":"???AA?"}]}}]}`
	compatibleTurns = `{"code":"Ok","routes":[{"legs":[{"steps":[
		{"maneuver":{"type":"depart","location":[9.5,47.1]}},
		{"maneuver":{"type":"turn","modifier":"left","location":[9.6,47.2],"bearing_before":10,"instruction":"Left."}},
		{"maneuver":{"type":"turn","modifier":"uturn","location":[9.6,47.2]}},
		{"maneuver":{"type":"continue","modifier":"straight","location":[9.6,47.2]}},
		{"maneuver":{"type":"continue","modifier":"right","location":[9.6,47.2],"bearing_before":20,"instruction":"Stay."}},
		{"maneuver":{"type":"roundabout","modifier":"right","location":[9.6,47.2]}}]}]},
		{"legs":[{"steps":[{"maneuver":{"type":"fork","modifier":"slight right","location":[9,47],"instruction":"Keep right."}}]}]}]}`
)

func TestTurns(t *testing.T) {
	for _, c := range []struct {
		face engine.Format
		body string
		want []*directions.Turn
	}{
		{engine.Native, nativeTurns, []*directions.Turn{
			nil,
			{At: geo.Point{Lon: 0.000001}, Bearing: 90, Instruction: "Right."},
			nil,
			{At: geo.Point{Lon: 0.000001, Lat: 0.000001}, Bearing: -1, Instruction: `Left {"[.`},
			{At: geo.Point{Lon: 0.000001}, Bearing: -1, Instruction: "Else."},
		}},
		{engine.OSRM, compatibleTurns, []*directions.Turn{
			nil,
			{At: geo.Point{Lon: 9.6, Lat: 47.2}, Bearing: 10, Instruction: "Left."},
			nil, nil,
			{At: geo.Point{Lon: 9.6, Lat: 47.2}, Bearing: 20, Instruction: "Stay."},
			nil,
			{At: geo.Point{Lon: 9, Lat: 47}, Bearing: -1, Instruction: "Keep right."},
		}},
	} {
		r := &engine.RouteRequest{Format: c.face}
		got, err := directions.Turns([]byte(c.body), r)
		if err != nil || len(got) != len(c.want) {
			t.Fatalf("%d manoeuvres, want %d: %v", len(got), len(c.want), err)
		}
		texts := make([]string, len(got))
		for i, turn := range got {
			if (turn == nil) != (c.want[i] == nil) {
				t.Errorf("%d: %+v, want %+v", i, turn, c.want[i])
				continue
			}
			if turn == nil {
				continue
			}
			if geo.Distance(turn.At, c.want[i].At) > 0.01 || turn.Bearing != c.want[i].Bearing || turn.Instruction != c.want[i].Instruction {
				t.Errorf("%d: %+v, want %+v", i, *turn, *c.want[i])
			}
			texts[i] = "By the \"Lion\": " + turn.Instruction
		}
		out, err := directions.WithEach([]byte(c.body), r, "landmark_instruction", texts)
		if err != nil || !json.Valid(out) {
			t.Fatalf("%v\n%s", err, out)
		}
		told := everyText(out)
		want := 0
		for _, text := range texts {
			if text != "" {
				want++
				if !told[text] {
					t.Errorf("%q is not in the answer", text)
				}
			}
		}
		if len(told) != want {
			t.Errorf("%d texts in the answer, want %d", len(told), want)
		}
		same, err := directions.WithEach([]byte(c.body), r, "landmark_instruction", make([]string, len(texts)))
		if err != nil || string(same) != c.body {
			t.Errorf("nothing to add changed the answer: %v\n%s", err, same)
		}
	}
}

// everyText collects what was added, wherever it stands.
func everyText(body []byte) map[string]bool {
	all := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case map[string]any:
			for k, x := range v {
				if text, ok := x.(string); ok && k == "landmark_instruction" {
					all[text] = true
				}
				walk(x)
			}
		case []any:
			for _, x := range v {
				walk(x)
			}
		}
	}
	var doc any
	if json.Unmarshal(body, &doc) == nil {
		walk(doc)
	}
	return all
}

func TestTurnsOfNoRoute(t *testing.T) {
	for _, body := range []string{`[]`, `{"trip"`, `{"trip":{"legs":[{"maneuvers":[{"type":"x"}]}]}}`, `{"trip":{"legs":[{"shape":"??","maneuvers":[{"type":10,"begin_shape_index":7}]}]}}`} {
		if _, err := directions.Turns([]byte(body), &engine.RouteRequest{}); err == nil {
			t.Errorf("%s: no error", body)
		}
	}
}

// An answer may be in another language than was asked for.
func TestSpoken(t *testing.T) {
	for _, c := range []struct {
		face       engine.Format
		body, want string
	}{
		{engine.Native, `{"trip":{"language":"en-GB","legs":[]}}`, "en-GB"},
		{engine.Native, `{"trip":{"language":7}}`, "ja-JP"},
		{engine.OSRM, `{"routes":[{"voiceLocale":"de"},{"voiceLocale":"fr"}]}`, "de"},
		{engine.OSRM, `{"routes":[{}]}`, "ja-JP"},
	} {
		if got := directions.Spoken([]byte(c.body), &engine.RouteRequest{Format: c.face, Language: "ja-JP"}); got != c.want {
			t.Errorf("%s: %q, want %q", c.body, got, c.want)
		}
	}
}
