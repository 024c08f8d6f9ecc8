package schema_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/waygate/waygate/fault"
	"github.com/waygate/waygate/wire/schema"
)

type position struct {
	Lat float64 `json:"lat" minimum:"-90" maximum:"90" unit:"degrees"`
	Lon float64 `json:"lon" minimum:"-180" maximum:"180" unit:"degrees"`
}

func (p *position) Hint(_ *schema.Context, member string) string {
	if (member == "lat" || member == "lon") && p.Lat >= -180 && p.Lat <= 180 && p.Lon >= -90 && p.Lon <= 90 {
		return "are lat and lon swapped?"
	}
	return ""
}

type location struct {
	position
	Name string `json:"name,omitempty" maxLength:"5"`
}

type word string

// tag reads itself: a text, or a list of them.
type tag []string

func (t *tag) DecodeJSON(c *schema.Context, raw json.RawMessage) {
	if raw[0] == '"' {
		*t = make(tag, 1)
		schema.Decode(c, "", raw, &(*t)[0])
		return
	}
	schema.Decode(c, "", raw, (*[]string)(t))
}

type span struct {
	From int `json:"from"`
	To   int `json:"to"`
}

func (s *span) Check(c *schema.Context) {
	if s.From > s.To {
		c.Refuse("to", s.To, "lies before from (%d)", s.From)
	}
}

type question struct {
	Places  []location                    `json:"places" minItems:"2" maxItems:"4" of:"places"`
	Mode    word                          `json:"mode" enum:"car,foot"`
	Count   int                           `json:"count,omitempty" minimum:"1" maximum:"9" default:"3"`
	Small   uint8                         `json:"small,omitempty"`
	Share   *float64                      `json:"share,omitempty" exclusiveMinimum:"0" maximum:"1" default:"1"`
	Flag    bool                          `json:"flag,omitempty"`
	Code    *string                       `json:"code" nullable:"true"`
	At      time.Time                     `json:"at,omitzero"`
	Day     string                        `json:"day,omitempty" format:"date"`
	Colour  string                        `json:"colour,omitempty" pattern:"^#[0-9a-f]{6}$" patternDescription:"a colour such as #ff0000"`
	Kinds   []string                      `json:"kinds,omitempty" enum:"a,b"`
	Level   int                           `json:"level,omitempty" enum:"0,1,2"`
	Pair    [2]float64                    `json:"pair,omitempty"`
	Options map[string]map[string]float64 `json:"options,omitempty"`
	Tags    tag                           `json:"tags,omitempty"`
	Span    span                          `json:"span,omitzero"`
	Inner   struct {
		Deep string `json:"deep,omitempty" default:"down"`
	} `json:"inner,omitzero"`
	Anything json.RawMessage `json:"anything,omitempty"`
}

const least = `"places":[{"lat":1,"lon":2},{"lat":3,"lon":4}],"mode":"car","code":null`

func read(body string, o schema.Options) (q question, warnings string, err error) {
	list, err := schema.Of[question]().Read(context.Background(), []byte(body), &q, o)
	return q, fmt.Sprint(list), err
}

func TestRead(t *testing.T) {
	q, warnings, err := read(`{`+least+`}`, schema.Options{})
	if err != nil || len(q.Places) != 2 || q.Places[1].Lon != 4 || q.Mode != "car" || q.Count != 3 || q.Share != nil || q.Inner.Deep != "down" || warnings != "[]" {
		t.Errorf("%+v %s %v", q, warnings, err)
	}
	q, _, err = read(` {"mode" : "f\u006fot", "c\u006fde":"x", "places":[ {"lon":-9.6e0,"lat":-0,"name":"é\n\ud83d\ude00"} , {"lat":1.25,"lon":179.999999999999999} ],
		"count":5.0,"small":255,"share":1e-3,"flag":true,"at":"2026-09-01T08:00:00+02:00","day":"2026-02-28","colour":"#00ff00","kinds":["b","a"],"level":0,"pair":[1,2],
		"options":{"x":{"y":1},"z":null},"tags":"one","span":{"from":1,"to":2},"inner":{},"anything":[1, {"a":"b"}]} `, schema.Options{Unknown: schema.Refuse})
	if err != nil {
		t.Fatal(err)
	}
	if q.Places[0].Lon != -9.6 || q.Places[0].Name != "é\n😀" || q.Places[1].Lon != 180 || *q.Code != "x" || q.Count != 5 || q.Small != 255 || *q.Share != 1e-3 || !q.Flag || q.At.Unix() != 1788242400 ||
		q.Pair != [2]float64{1, 2} || q.Options["x"]["y"] != 1 || len(q.Options) != 1 || !reflect.DeepEqual(q.Tags, tag{"one"}) || q.Span.To != 2 || string(q.Anything) != `[1, {"a":"b"}]` || q.Inner.Deep != "down" {
		t.Errorf("%+v", q)
	}
	// null is leaving out.
	q, warnings, err = read(`{`+least+`,"count":null,"share":null,"kinds":null,"inner":null,"anything":null,"strange":null}`, schema.Options{})
	if err != nil || q.Count != 3 || q.Inner.Deep != "down" || q.Anything != nil || warnings != "[]" {
		t.Errorf("%+v %s %v", q, warnings, err)
	}
}

// White space around a text counts for none of its limits.
func TestTrimmed(t *testing.T) {
	type note struct {
		Text string `json:"text" minLength:"2" maxLength:"3" trim:"true"`
	}
	for body, want := range map[string]string{`{"text":" \n abc\t"}`: "abc", `{"text":"a c"}`: "a c", `{"text":"  a  "}`: "", `{"text":" abcd"}`: ""} {
		var n note
		if _, err := schema.Of[note]().Read(t.Context(), []byte(body), &n, schema.Options{}); n.Text != want || (err == nil) != (want != "") {
			t.Errorf("%s: %q %v", body, n.Text, err)
		}
	}
}

func TestRefusals(t *testing.T) {
	deep := strings.Repeat("[", schema.MaxDepth) + strings.Repeat("]", schema.MaxDepth)
	for body, want := range map[string]string{
		``:                          "the body is empty; a JSON object is needed",
		" \n ":                      "the body is empty",
		`[]`:                        "the body must be a JSON object",
		`null`:                      "the body must be a JSON object",
		`{"mode":"car",` + "\n  x":  "the body is not JSON: line 2, column 3: 'x' does not belong here",
		`{"a":1} {`:                 "line 1, column 9: '{' does not belong here",
		`{"mode":"car"`:             "line 1, column 14: the body ends here",
		`{"mode":"c` + "\x01":       "column 11: '\\x01' does not belong here",
		`{"mode":"\q"}`:             "column 11: 'q' does not belong here",
		`{"count":01}`:              "column 11: '1' does not belong here",
		`{"count":1.}`:              "column 12: '}' does not belong here",
		`{"count":-}`:               "column 11: '}' does not belong here",
		`{"x":1d5}`:                 "column 7: 'd' does not belong here",
		`{"x":1e}`:                  "column 8: '}' does not belong here",
		`{"x":tru}`:                 "column 9: '}' does not belong here",
		`{"x":[1,]}`:                "column 9: ']' does not belong here",
		`{"x":{"y":1,}}`:            "column 13: '}' does not belong here",
		`{"places":[{"lat":1,}]}`:   "column 21: '}' does not belong here",
		`{"mode":"` + "\xff" + `"}`: "the body is not UTF-8: line 1, column 10: byte 0xff",
		`{"x":` + deep + `}`:        "lies deeper than the 64 levels that are read",

		`{"mode":"car","mode":"foot"}`:              "mode: stands twice in its object",
		`{"mode":3,"x":{"y":[{"z":1,"\u007a":2}]}}`: "x.y[0].z: stands twice in its object",
		`{"places":[{"lat":1,"lon":2,"lat":3}]}`:    "places[0].lat: stands twice",
		`{"u":1,"u":2}`:                             "u: stands twice",
		`{"options":{"a":{},"a":{}}}`:               "options.a: stands twice",
		`{"options":{"a":{"b":1,"b":1}}}`:           "options.a.b: stands twice",
		`{"w":{"1":1,"2":1,"3":1,"4":1,"5":1,"6":1,"7":1,"8":1,"9":1,"10":1,"3":0}}`: "w.3: stands twice",

		`{}`: "places: is missing: it must be a list of 2 to 4 places (and 2 more, see errors)",
		`{"places":null,"mode":"car","code":null}`:                                     "places: is missing",
		`{"mode":null,"places":[{"lat":1,"lon":2},{"lat":3,"lon":4}],"code":null}`:     "mode: is missing: it must be one of car, foot",
		`{"places":[{"lon":2},{"lat":3,"lon":4}],"mode":"car","code":null}`:            "places[0].lat: is missing: it must be a number between -90 and 90 degrees",
		`{"places":[{"lat":1,"lon":2}],"mode":"car","code":null}`:                      "places: has 1 of at least two places",
		`{"places":[],"mode":"car","code":null}`:                                       "places: has 0 of at least two places",
		`{"places":[1,1,1,1,1],"mode":"car","code":null}`:                              "places[0]: must be an object",
		`{"places":"x","mode":"car","code":null}`:                                      "places: must be a list of 2 to 4 places",
		`{"places":[{"lat":95,"lon":2},{"lat":3,"lon":4}],"mode":"car","code":null}`:   "places[0].lat: is 95 and must be between -90 and 90 degrees; are lat and lon swapped?",
		`{"places":[{"lat":95,"lon":200},{"lat":3,"lon":4}],"mode":"car","code":null}`: "places[0].lat: is 95 and must be between -90 and 90 degrees (and 1 more",
	} {
		_, _, err := read(body, schema.Options{})
		var f *fault.Error
		if !errors.As(err, &f) || f.Slug != fault.BadRequest || !strings.Contains(f.Detail, want) {
			t.Errorf("%q: %v, want %q", body, err, want)
		}
	}
	for members, want := range map[string]string{
		`"count":0`:                 "count: is 0 and must be between 1 and 9",
		`"count":10`:                "count: is 10 and must be between 1 and 9",
		`"count":2.5`:               "count: is 2.5 and must be a whole number between 1 and 9",
		`"count":1e300`:             "count: is 1e300 and must be a whole number between 1 and 9",
		`"count":"1"`:               "count: must be a whole number between 1 and 9",
		`"small":256`:               "small: is 256 and must be at least 0",
		`"small":-1`:                "small: is -1 and must be at least 0",
		`"share":0`:                 "share: is 0 and must be above 0 and at most 1",
		`"share":1e400`:             "share: is 1e400 and must be above 0 and at most 1",
		`"share":[]`:                "share: must be a number above 0 and at most 1",
		`"flag":1`:                  "flag: must be true or false",
		`"at":"yesterday"`:          "at: must be a date and time as in RFC 3339",
		`"at":5`:                    "at: must be a date and time as in RFC 3339",
		`"day":"2026-02-30"`:        "day: must be a date as YYYY-MM-DD",
		`"colour":"red"`:            "colour: must be a colour such as #ff0000",
		`"kinds":["a","c"]`:         "kinds[1]: must be one of a, b",
		`"kinds":[null]`:            "kinds[0]: must be one of a, b",
		`"level":3`:                 "level: must be one of 0, 1, 2",
		`"pair":[1]`:                "pair: has 1 of at least two entries",
		`"pair":[1,2,3]`:            "pair: has 3 entries and may have 2",
		`"options":{"a":3}`:         "options.a: must be an object",
		`"options":{"a":{"b":"c"}}`: "options.a.b: must be a number",
		`"tags":[1]`:                "tags[0]: must be a string",
		`"tags":7`:                  "tags: must be a list",
		`"span":{"from":3,"to":2}`:  "span.to: lies before from (3)",
		`"span":{"from":3}`:         "span.to: is missing",
		`"mode":"bus","code":1`:     "stands twice",
		`"colour":5`:                "colour: must be a colour such as #ff0000",
	} {
		_, _, err := read(`{`+least+`,`+members+`}`, schema.Options{})
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %q", members, err, want)
		}
	}
	if _, _, err := read(`{"places":[{"lat":1,"lon":2,"name":"sixsix"},{"lat":1,"lon":1}],"mode":"car","code":1}`, schema.Options{}); err == nil ||
		!strings.Contains(err.Error(), "places[0].name: has 6 characters and may have 5 (and 1 more") {
		t.Error(err)
	}
}

func TestUnknownMembers(t *testing.T) {
	body := `{` + least + `,"colur":"red","inner":{"x.y":1}}`
	if _, warnings, err := read(body, schema.Options{}); err != nil || warnings != "[{901 inner.x.y is not known here and had no effect inner.x.y} {901 colur is not known here and had no effect colur}]" {
		t.Errorf("%s %v", warnings, err)
	}
	if _, _, err := read(body, schema.Options{Unknown: schema.Refuse}); err == nil || !strings.Contains(err.Error(), "colur: is not known here (and 1 more") {
		t.Error(err)
	}
	if _, warnings, err := read(body, schema.Options{Unknown: schema.Drop}); err != nil || warnings != "[]" {
		t.Errorf("%s %v", warnings, err)
	}
	var many strings.Builder
	for i := range 1000 {
		fmt.Fprintf(&many, `,"%s%d":1`, strings.Repeat("long ", 100), i)
	}
	list, err := schema.Of[question]().Read(context.Background(), []byte(`{`+least+many.String()+`}`), new(question), schema.Options{})
	if err != nil || len(list) != schema.MostWarnings+1 || len(list[0].Text) > 300 || !strings.Contains(list[schema.MostWarnings].Text, "ends here") {
		t.Errorf("%d warnings, %v", len(list), err)
	}
}

func TestViolationsEnd(t *testing.T) {
	_, _, err := read(`{`+least+`,"kinds":[`+strings.Repeat(`"x",`, 1000)+`"y"]}`, schema.Options{})
	var f *fault.Error
	if !errors.As(err, &f) || len(f.Fields["errors"].([]fault.Violation)) != schema.MostViolations {
		t.Errorf("%v", err)
	}
}

type resting struct {
	Mode  string            `json:"mode,omitempty"`
	Extra schema.Raw[[]int] `json:"extra,omitempty" effect:"binding"`
	Rest  schema.UnknownMembers
}

func TestRest(t *testing.T) {
	var r resting
	warnings, err := schema.Of[resting]().Read(context.Background(), []byte(`{"b":{},"extra":[1],"mode":"x","a":null}`), &r, schema.Options{Unknown: schema.Refuse})
	want := schema.UnknownMembers{{"b", "", json.RawMessage(`{}`)}, {"extra", "binding", json.RawMessage(`[1]`)}, {"a", "", json.RawMessage(`null`)}}
	if err != nil || len(warnings) != 0 || !reflect.DeepEqual(r.Rest, want) || string(r.Extra) != "[1]" {
		t.Errorf("%+v %v %v", r, warnings, err)
	}
	if _, err := schema.Of[resting]().Read(context.Background(), []byte(`{"extra":["x"]}`), &r, schema.Options{}); err == nil || !strings.Contains(err.Error(), "extra[0]: must be a whole number") {
		t.Errorf("a value that is not used and of the wrong type: %v", err)
	}
}

func TestReadingEndsWithTheCaller(t *testing.T) {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	for _, body := range []string{`{"kinds":[` + strings.Repeat(`"a",`, 5000) + `"a"]}`, `{"what":[` + strings.Repeat(`1,`, 5000) + `1]}`} {
		if _, err := schema.Of[question]().Read(ctx, []byte(body), new(question), schema.Options{}); !errors.Is(err, context.Canceled) {
			t.Error(err)
		}
	}
}

type Travel struct {
	Mode  word `json:"mode" enum:"car,foot"`
	Speed int  `json:"speed,omitempty"`
}

func (t *Travel) Check(c *schema.Context) {
	if t.Mode == "foot" && t.Speed > 7 {
		c.Refuse("speed", t.Speed, "is fast on foot")
	}
}

type journey struct {
	Travel
	Ends span `json:"ends"`
}

func (j *journey) Check(c *schema.Context) {
	j.Travel.Check(c)
	if j.Ends.To > 100 {
		c.Refuse("ends.to", j.Ends.To, "is far")
	}
}

// TestPartsAreChecked checks that a part with rules of its own is checked once,
// and also where something else is wrong.
func TestPartsAreChecked(t *testing.T) {
	for body, want := range map[string]string{
		`{"mode":"foot","speed":9,"ends":{"from":1,"to":200}}`:   "speed: is fast on foot (and 1 more",
		`{"mode":"foot","speed":9,"ends":{"from":1,"to":"far"}}`: "ends.to: must be a whole number (and 1 more",
		`{"mode":"foot","speed":9,"ends":{"from":3,"to":2}}`:     "ends.to: lies before from (3) (and 1 more",
		`{"mode":"swim","speed":9,"ends":{"from":1,"to":200}}`:   "mode: must be one of car, foot",
		`{"speed":9,"ends":{"from":1,"to":2}}`:                   "mode: is missing: it must be one of car, foot",
	} {
		_, err := schema.Of[journey]().Read(context.Background(), []byte(body), new(journey), schema.Options{})
		if err == nil || !strings.HasSuffix(err.Error(), want) && !strings.Contains(err.Error(), want+", see errors)") {
			t.Errorf("%s: %v, want %q", body, err, want)
		}
	}
}

// TestDefects checks that a type that cannot be read or described is found at once.
func TestDefects(t *testing.T) {
	for name, of := range map[string]func(){
		"a channel": func() { schema.Of[struct{ C chan int }]() },
		"a range of words": func() {
			schema.Of[struct {
				N int `json:"n" minimum:"low"`
			}]()
		},
		"a length in words": func() {
			schema.Of[struct {
				S string `json:"s" maxLength:"long"`
			}]()
		},
		"a flag that is no word for one": func() {
			schema.Of[struct {
				N int `json:"n" nullable:"perhaps"`
			}]()
		},
		"an unknown format": func() {
			schema.Of[struct {
				S string `json:"s" format:"email"`
			}]()
		},
		"a default of a kind": func() {
			schema.Of[struct {
				N int `json:"n" default:"x"`
			}]()
		},
		"an effect on a value": func() {
			schema.Of[struct {
				N int `json:"n" effect:"none"`
			}]()
		},
		"a list in a path": func() {
			schema.InputOf[struct {
				L []int `path:"l"`
			}](schema.Warn)
		},
		"a decoder within": func() { schema.Of[struct{ tagged }]() },
	} {
		func() {
			defer func() {
				if recover() == nil {
					t.Errorf("%s is taken", name)
				}
			}()
			of()
		}()
	}
}

type tagged struct{}

func (*tagged) DecodeJSON(*schema.Context, json.RawMessage) {}

func TestEntries(t *testing.T) {
	for _, c := range []struct {
		list string
		want []string
	}{
		{`[]`, nil},
		{" [ ]\n", nil},
		{`{"a":1}`, nil},
		{`"[1]"`, nil},
		{` [ {"a":"],[" , "b":[1,[2]]} ,3.5e1, "x\\",null ] `, []string{`{"a":"],[" , "b":[1,[2]]}`, `3.5e1`, `"x\\"`, `null`}},
		{`[1,2,3`, []string{"1", "2", "3"}},
	} {
		var got []string
		for part := range schema.Entries(json.RawMessage(c.list)) {
			got = append(got, string(part))
		}
		if !slices.Equal(got, c.want) {
			t.Errorf("%s has %q, not %q", c.list, got, c.want)
		}
	}
	for part := range schema.Entries(json.RawMessage(`[1,2]`)) {
		if string(part) != "1" {
			t.Errorf("the first is %s", part)
		}
		break
	}
}
