package fault

import "strconv"

// Counted is a number with the noun that agrees with it, as messages have them: "1 stop", "2 stops".
func Counted(n int, one, more string) string {
	if n == 1 {
		return "1 " + one
	}
	return strconv.Itoa(n) + " " + more
}
