package costing

import (
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// TunnelCodes lists the tunnel restriction codes of ADR 8.6.4, the form with
// a quantity (B1000C, C5000D) included.
func TunnelCodes() []string {
	return []string{"B", "B1000C", "B/D", "B/E", "C", "C5000D", "C/D", "C/E", "D", "D/E", "E", NoTunnelForbidden}
}

// ParseTunnelCode brings a code to its form in TunnelCodes: case, spaces,
// brackets around the whole code and the several dashes of "(—)" do not
// matter. ok is false for anything else.
func ParseTunnelCode(s string) (code string, ok bool) {
	t := strings.ToUpper(strings.Join(strings.Fields(s), ""))
	t = strings.TrimSuffix(strings.TrimPrefix(t, "("), ")")
	if slices.Contains([]string{"—", "–", "-", "−"}, t) {
		return NoTunnelForbidden, true
	}
	if t != NoTunnelForbidden && slices.Contains(TunnelCodes(), t) {
		return t, true
	}
	return "", false
}

// TunnelForbids reports whether a load of the code (as in TunnelCodes) may not
// pass a tunnel of the category ("A" to "E"), by the table of ADR 8.6.4. Where
// the code depends on carriage in tanks or on the net explosive mass, which a
// route request does not have, the stricter reading is used.
func TunnelForbids(code, category string) bool {
	if category == "" || category == "A" {
		return false
	}
	first, ok := strictest[code]
	return ok && first <= category
}

// strictest is the least restricted category that a load of the code may not
// pass, in the stricter reading: all from there to E are closed to it.
var strictest = map[string]string{
	"B": "B", "B1000C": "B", "B/D": "B", "B/E": "B",
	"C": "C", "C5000D": "C", "C/D": "C", "C/E": "C",
	"D": "D", "D/E": "D", "E": "E",
}

// ForbiddenFrom returns the least restricted category, 'B' to 'E', that a load of
// the code may not pass in the stricter reading; 0 where it may pass all, as
// does a load without a code.
func ForbiddenFrom(code string) uint8 {
	if c := strictest[code]; c != "" {
		return c[0]
	}
	return 0
}

// MostRestricted is the code that a dangerous load without one is treated as, and
// NoTunnelForbidden the code of a load that may pass every tunnel.
const (
	MostRestricted    = "B"
	NoTunnelForbidden = "(—)"
)

// ResolveTunnelCode returns what is made of a load by its code (as in TunnelCodes, nil where none
// is given) and by whether it is said to be dangerous: a dangerous load without a code has
// the most restricted one, and a load whose code forbids tunnels is dangerous. note says
// what was made of it, for people; "" where it is as it was said.
func ResolveTunnelCode(code *string, hazmat bool) (understood *string, dangerous bool, note string) {
	switch {
	case code == nil && hazmat:
		most := MostRestricted
		return &most, true, "dangerous goods without a tunnel code count as code " + MostRestricted + ", the most restricted; " + NoTunnelForbidden + " says that no tunnel is forbidden"
	case code != nil && *code != NoTunnelForbidden && !hazmat:
		return code, true, "a load with the tunnel code " + *code + " is dangerous goods: hazmat counts as true"
	}
	return code, hazmat, ""
}

// Complete puts among a lorry's options, as a caller wrote them, what ResolveTunnelCode makes of
// them, and gives the note where a caller should know. assumed is whether the tunnel code is
// none that the caller gave. Options of the wrong type stay.
func Complete(options map[string]json.RawMessage) (note string, assumed bool) {
	var code *string
	var hazmat *bool
	if json.Unmarshal(orNull(options[ADRTunnelCode.String()]), &code) != nil || json.Unmarshal(orNull(options[Hazmat.String()]), &hazmat) != nil {
		return "", false
	}
	if code != nil {
		known, ok := ParseTunnelCode(*code)
		if !ok {
			return "", false
		}
		code = &known
	}
	understood, dangerous, note := ResolveTunnelCode(code, hazmat != nil && *hazmat)
	if note == "" {
		return "", false
	}
	quoted, _ := json.Marshal(*understood) // a string always marshals
	options[ADRTunnelCode.String()], options[Hazmat.String()] = quoted, json.RawMessage(strconv.FormatBool(dangerous))
	if code != nil && hazmat == nil {
		return "", false // nothing was said that is not heeded
	}
	return note, code == nil
}

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// TunnelReason returns the sentence that goes with a tunnel refused to a load. assumed is whether
// its code was not given.
func TunnelReason(code string, assumed bool, category string) string {
	if assumed {
		code += AsAssumed
	}
	return fmt.Sprintf("ADR 8.6.4: a load with tunnel restriction code %s may not pass a tunnel of category %s", code, category)
}

// AsAssumed is written after a tunnel code that was not given.
const AsAssumed = " (assumed, as dangerous goods without a code are)"
