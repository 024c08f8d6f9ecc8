package body

import (
	"encoding/json"
	"strings"

	"github.com/waygate/waygate/engine"
)

// Narration is how a caller wants routes told.
type Narration struct {
	Format      engine.Format
	Miles       bool
	Language    string // BCP 47; "" where none was asked for
	Directions  engine.Directions
	ShapeFormat string
	ID          string
}

// narrators read the members that say how routes are told.
var narrators = map[string]func(r *Reader, n *Narration, raw json.RawMessage, at string){
	"units": func(r *Reader, n *Narration, raw json.RawMessage, at string) {
		v := r.Word(raw, at, "kilometers", "km", "miles", "mi")
		n.Miles = v == "miles" || v == "mi"
	},
	"language": func(r *Reader, n *Narration, raw json.RawMessage, at string) { n.Language = r.language(raw, at) },
	"directions_type": func(r *Reader, n *Narration, raw json.RawMessage, at string) {
		n.Directions = engine.Directions(r.Word(raw, at, "none", "maneuvers", "instructions"))
	},
	"shape_format": func(r *Reader, n *Narration, raw json.RawMessage, at string) {
		n.ShapeFormat = r.Word(raw, at, "polyline6", "polyline5", "geojson", "no_shape")
	},
	"format": func(r *Reader, n *Narration, raw json.RawMessage, at string) {
		n.Format = engine.Native
		if r.Word(raw, at, "json", "osrm") == "osrm" {
			n.Format = engine.OSRM
		}
	},
	"id": func(r *Reader, n *Narration, raw json.RawMessage, at string) { n.ID = r.Text(raw, at) },
}

// Narrating lists the members that Narration reads.
func Narrating() []string {
	return []string{"directions_options", "directions_type", "format", "id", "language", "shape_format", "units"}
}

// Narration reads how routes are to be told. directions_options is the former
// place of some members; the present place wins.
func (r *Reader) Narration(doc map[string]json.RawMessage) (n Narration) {
	n.Format = engine.Native
	r.older(&n, doc["directions_options"])
	for _, name := range Narrating() {
		if read, ok := narrators[name]; ok && !Absent(doc[name]) {
			read(r, &n, doc[name], name)
		}
	}
	if n.Format == engine.OSRM && n.ShapeFormat == "no_shape" {
		r.Refuse("shape_format", doc["shape_format"], "no_shape is not possible with format osrm")
	}
	return n
}

// Details lists the members that Detail reads.
func Details() []string { return []string{"admin_crossings", "roundabout_exits", "turn_lanes"} }

// Detail reads what more or less manoeuvres and legs are to tell.
func (r *Reader) Detail(doc map[string]json.RawMessage) (t engine.Detail) {
	t.TurnLanes = r.Switch(doc, "turn_lanes")
	t.Admins = r.Switch(doc, "admin_crossings")
	if raw := doc["roundabout_exits"]; !Absent(raw) {
		t.JoinRoundabouts = !r.Flag(raw, "roundabout_exits")
	}
	return t
}

func (r *Reader) older(n *Narration, raw json.RawMessage) {
	if Absent(raw) {
		return
	}
	all := r.Members(raw, "directions_options")
	for _, name := range Names(all) {
		at := "directions_options." + name
		switch name {
		case "units", "language", "directions_type", "format":
			if !Absent(all[name]) {
				narrators[name](r, n, all[name], at)
			}
		default:
			r.Warn(UnknownMember, "%s is not known here and had no effect", at)
		}
	}
}

// longestTag bounds a language tag, in bytes.
const longestTag = 35

// language reads a BCP 47 tag. Whether the engine speaks it, the engine knows.
func (r *Reader) language(raw json.RawMessage, at string) string {
	v := r.text(raw, at, longestTag)
	if v != "" && !IsLanguage(v) {
		r.Refuse(at, raw, "must be a BCP 47 language tag such as en-GB")
		return ""
	}
	return v
}

// IsLanguage reports whether a tag has the form of BCP 47: parts of up to eight
// letters and digits, the first of them letters. An underscore passes for the
// hyphen between them.
func IsLanguage(tag string) bool {
	first := true
	for part := range strings.SplitSeq(strings.ReplaceAll(tag, "_", "-"), "-") {
		if part == "" || len(part) > 8 || first && len(part) == 1 && strings.IndexByte("iIxX", part[0]) < 0 {
			return false
		}
		if strings.ContainsFunc(part, func(c rune) bool {
			return (c < 'a' || c > 'z') && (c < 'A' || c > 'Z') && (first || c < '0' || c > '9')
		}) {
			return false
		}
		first = false
	}
	return true
}
