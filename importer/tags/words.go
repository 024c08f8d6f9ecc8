package tags

import (
	"slices"
	"strings"

	"github.com/waygate/waygate/osm"
	"github.com/waygate/waygate/road/graph"
)

// tidy normalises a value of access: lower case, with semicolons between words and none
// at the end.
func tidy(value string) string {
	if !strings.ContainsFunc(value, func(c rune) bool { return c == ';' || c == ',' || c == ' ' || c >= 'A' && c <= 'Z' }) {
		return value
	}
	return strings.Trim(strings.ReplaceAll(strings.ToLower(value), ",", ";"), "; ")
}

// forms returns the keys of a kind of traveller: hgv, and access:hgv if some key has
// that form.
func forms(t osm.Tags, key string) []string {
	if key != "access" {
		for _, tag := range t {
			if rest, long := strings.CutPrefix(tag.Key, "access:"); long && strings.HasPrefix(rest, key) {
				return []string{"access:" + key, key}
			}
		}
	}
	return []string{key}
}

// meaning returns the meaning of a tidied value of an access key. An unknown value
// opens nothing: on a key of motor traffic it makes the road a last resort, because the
// mapper did not write that it may pass. For walkers, cyclists and wheelchairs it is
// ignored: it more often describes the way than closes it, and a walker can turn round.
func meaning(key, value string) permission {
	p := permissionOf(value)
	if p == unknown && !readable(value) && !slices.Contains(byOwnForce, accessKey(key)) {
		return unsuitable
	}
	if key == "wheelchair" && value == "limited" {
		return unknown
	}
	return p
}

// byOwnForce are the access keys of travellers without a motor, and of emergency
// services.
var byOwnForce = []string{"foot", "bicycle", "wheelchair", "emergency"}

// readable reports whether some word of a value is known.
func readable(value string) bool {
	for part := range strings.SplitSeq(value, ";") {
		part = strings.TrimSpace(part)
		if _, ok := permissions[part]; ok {
			return true
		}
		if _, ok := kinds[part]; ok {
			return true
		}
	}
	return false
}

// accessKey returns the key without its direction and its longer form: hgv of
// access:hgv:forward.
func accessKey(key string) string {
	key = strings.TrimSuffix(strings.TrimSuffix(key, ":forward"), ":backward")
	if rest, long := strings.CutPrefix(key, "access:"); long {
		return rest
	}
	return key
}

// avoid makes a road a last resort for some of those who may use it.
func (s *Side) avoid(modes graph.Modes, tag osm.Tag) {
	s.Destination &^= modes
	s.Limits.LastResort |= modes
	if s.LastResort != "" {
		s.LastResort += ", "
	}
	s.LastResort += tag.Key + "=" + tag.Value
}

// lastResort keeps the mark, and the tags that an answer names, if there is a traveller
// who may pass.
func (w *Way) lastResort() {
	for _, s := range []*Side{&w.Forward, &w.Backward} {
		if s.Limits.LastResort &= s.Access; s.Limits.LastResort != 0 {
			s.Attributes = append(s.Attributes, graph.LastResortKey, s.LastResort)
		}
	}
}

// UnknownWords returns the access tags without a known word.
func UnknownWords(t osm.Tags) (list []osm.Tag) {
	for _, tag := range t {
		value := tidy(tag.Value)
		if _, known := permissions[value]; !known && value != "" && concerns[accessKey(tag.Key)] != 0 && !readable(value) {
			list = append(list, tag)
		}
	}
	return list
}

// concerns maps each key of access to its modes.
var concerns = func() map[string]graph.Modes {
	all := map[string]graph.Modes{}
	for key, modes := range graph.AccessKeys {
		all[key] = modes
	}
	return all
}()
