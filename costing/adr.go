package costing

import (
	"fmt"
	"slices"
	"strings"
)

// TunnelCodes lists the tunnel restriction codes of ADR 8.6.4, the form with
// a quantity (B1000C, C5000D) included.
func TunnelCodes() []string {
	return []string{"B", "B1000C", "B/D", "B/E", "C", "C5000D", "C/D", "C/E", "D", "D/E", "E", "(—)"}
}

// ParseTunnelCode brings a code to its form in TunnelCodes: case, spaces,
// brackets around the whole code and the several dashes of "(—)" do not
// matter. ok is false for anything else.
func ParseTunnelCode(s string) (code string, ok bool) {
	t := strings.ToUpper(strings.Join(strings.Fields(s), ""))
	t = strings.TrimSuffix(strings.TrimPrefix(t, "("), ")")
	if slices.Contains([]string{"—", "–", "-", "−"}, t) {
		return "(—)", true
	}
	if t != "(—)" && slices.Contains(TunnelCodes(), t) {
		return t, true
	}
	return "", false
}

// TunnelForbids reports whether a load of the code (as in TunnelCodes) may not
// pass a tunnel of the category ("A" to "E"), by the table of ADR 8.6.4. Where
// the code depends on carriage in tanks or on the net explosive mass, which a
// route request does not tell, the stricter reading holds.
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

// ForbiddenFrom gives the least restricted category, 'B' to 'E', that a load of
// the code may not pass in the stricter reading; 0 where it may pass all, as
// does a load without a code.
func ForbiddenFrom(code string) uint8 {
	if c := strictest[code]; c != "" {
		return c[0]
	}
	return 0
}

// TunnelReason is the sentence that goes with a tunnel refused to a load.
func TunnelReason(code, category string) string {
	return fmt.Sprintf("ADR 8.6.4: a load with tunnel restriction code %s may not pass a tunnel of category %s", code, category)
}
