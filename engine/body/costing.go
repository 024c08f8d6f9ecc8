package body

import (
	"encoding/json"
	"slices"
	"strings"

	"github.com/waygate/waygate/costing"
	"github.com/waygate/waygate/fault"
)

// Costing reads costing and costing_options. Options of other costings are
// allowed, as engines allow them, and have no effect.
func (r *Reader) Costing(doc map[string]json.RawMessage) (costing.Costing, costing.Settings) {
	c := r.Mode(doc["costing"])
	if !c.Known() {
		return 0, costing.Settings{}
	}
	return c, r.Settle(c, r.Options(c, doc["costing_options"]))
}

// Mode reads a costing; 0 where it is none.
func (r *Reader) Mode(raw json.RawMessage) costing.Costing {
	if Absent(raw) {
		r.Refuse("costing", nil, "is missing: one of %s", Listed(costing.Names(costing.All[:]...)))
		return 0
	}
	var v string
	if json.Unmarshal(raw, &v) != nil || !costing.Named(v).Known() {
		r.Refuse("costing", raw, "must be one of %s", Listed(costing.Names(costing.All[:]...)))
		return 0
	}
	return costing.Named(v)
}

// Settle checks the options of a costing, once everything that sets one has
// done so.
func (r *Reader) Settle(c costing.Costing, chosen map[string]json.RawMessage) costing.Settings {
	at := "costing_options." + c.String()
	settings, unknown, bad := costing.Parse(c, chosen, at)
	for _, name := range unknown {
		if costing.Find(name).OnlyLorries() {
			r.Refuse(at+"."+name, chosen[name], "needs the costing truck; the costing is %s", c)
			continue
		}
		r.Warn(UnknownOption, "%s.%s is not an option of %s and had no effect", at, name, c.String())
	}
	r.Violate(bad...)
	return settings
}

// Options reads the options of one costing out of costing_options; they are not
// checked yet. The map is the caller's, and never nil.
func (r *Reader) Options(c costing.Costing, raw json.RawMessage) map[string]json.RawMessage {
	chosen := map[string]json.RawMessage{}
	if Absent(raw) {
		return chosen
	}
	all := r.Members(raw, "costing_options")
	for _, name := range Names(all) {
		at := "costing_options." + name
		switch {
		case Absent(all[name]):
		case !costing.Named(name).Known():
			r.Warn(UnknownMember, "%s is not one of the costings %s and had no effect", at, Listed(costing.Names(costing.All[:]...)))
		default:
			if m := r.Members(all[name], at); m != nil && costing.Named(name) == c {
				chosen = m
			}
		}
	}
	var code string
	if json.Unmarshal(chosen["adr_tunnel_code"], &code) == nil {
		if canonical, ok := costing.ParseTunnelCode(code); ok {
			// A string always marshals.
			chosen["adr_tunnel_code"], _ = json.Marshal(canonical)
		}
	}
	return chosen
}

// Elsewhere refuses members of POST /route that an endpoint does not have and
// that matter too much to be passed over: what a lorry carries, and what is to
// be avoided.
func (r *Reader) Elsewhere(doc map[string]json.RawMessage) {
	for name, instead := range map[string]string{
		"adr": "costing_options.truck", "avoid": "the use_ options of costing_options", "exclude": "the exclude_ options of costing_options",
	} {
		if Wanted(doc[name]) {
			r.Violate(fault.Violation{Location: name, Message: "is read by POST /route only; say it here with " + instead})
		}
	}
	slices.SortStableFunc(r.bad, func(a, b fault.Violation) int { return strings.Compare(a.Location, b.Location) })
}
