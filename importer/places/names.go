package places

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/index/place"
	"github.com/waygate/waygate/osm"
)

// otherNames are the keys of names besides name and name:xx. Of what has no name the first
// that is there stands for it.
var otherNames = []string{"official_name", "loc_name", "reg_name", "nat_name", "int_name", "short_name", "alt_name", "old_name"}

// sides are the names that a street has to one side each.
var sides = []string{"name:left", "name:right"}

// hasName reports whether an object has a name of any kind, or a number that it is called by.
func hasName(t osm.Tags) bool {
	for i := range t {
		if t[i].Value != "" && isName(t[i].Key) {
			return true
		}
	}
	return numberName(t) != ""
}

// numberName returns the name that a number makes for something without another: "Gate B12", "Bus
// 151"; "" for none.
func numberName(t osm.Tags) string {
	ref := t.Get("ref")
	if ref == "" {
		return ""
	}
	what := t.Get("aeroway")
	switch route := t.Get("route"); {
	case what == "gate" || what == "terminal" || what == "runway":
	case route != "" && route != "road" && t.Get("type") == "route":
		what = route
	case t.Get("highway") == "emergency_access_point":
		return ref
	default:
		return ""
	}
	return strings.ToUpper(what[:1]) + strings.ReplaceAll(what[1:], "_", " ") + " " + ref
}

func isName(key string) bool {
	base, suffix, more := strings.Cut(key, ":")
	if base == "name" {
		return !more || isLanguage(suffix) || slices.Contains(sides, key)
	}
	return strings.HasSuffix(base, "name") && slices.Contains(otherNames, base)
}

// names returns all names of an object, the local one first; nil where it has none.
func names(t osm.Tags) []place.Name {
	all := namesOf(t, "name", otherNames)
	if n := numberName(t); n != "" && len(all) == 0 {
		all = []place.Name{{Text: n}}
	}
	return all
}

// namesOf returns the names below a key, as in bridge:name and bridge:name:cy, and those of other
// keys. Of what has no local name another stands in its place.
func namesOf(t osm.Tags, key string, others []string) []place.Name {
	var all []place.Name
	add := func(lang, list string) {
		for v := range strings.SplitSeq(list, ";") {
			n := place.Name{Lang: lang, Text: strings.TrimSpace(v)}
			if n.Text != "" && !slices.Contains(all, n) {
				all = append(all, n)
			}
		}
	}
	if whole := strings.TrimSpace(t.Get(key)); whole != "" {
		all = append(all, place.Name{Text: whole})
		add("", whole)
	}
	for _, other := range others {
		add("", t.Get(other))
	}
	for i := range t {
		if suffix, ok := strings.CutPrefix(t[i].Key, key); ok && suffix != "" {
			switch lang := suffix[1:]; {
			case suffix[0] == ':' && isLanguage(lang):
				add(strings.ToLower(lang), t[i].Value)
			case key == "name" && slices.Contains(sides, t[i].Key), suffix[0] == '_' && isNumber(lang):
				add("", t[i].Value)
			}
			continue
		}
		// Other names in another language, or more of them.
		for _, other := range others {
			if suffix, ok := strings.CutPrefix(t[i].Key, other); ok && len(suffix) > 1 && (isLanguage(suffix[1:]) || isNumber(suffix[1:])) {
				add("", t[i].Value)
			}
		}
	}
	if len(all) > 0 && all[0].Lang != "" {
		all = slices.Insert(all, 0, place.Name{Text: all[0].Text})
	}
	return all
}

// isNumber reports whether the end of a key counts names: name_1, alt_name_2.
func isNumber(s string) bool { return len(s) == 1 && s[0] >= '0' && s[0] <= '9' }

// isLanguage reports whether a suffix of name: is a language: two or three small
// letters, then perhaps a script or country.
func isLanguage(s string) bool {
	base, _, _ := strings.Cut(strings.ReplaceAll(s, "_", "-"), "-")
	if len(base) < 2 || len(base) > 3 {
		return false
	}
	for i := range len(base) {
		if base[i] < 'a' || base[i] > 'z' {
			return false
		}
	}
	return true
}
