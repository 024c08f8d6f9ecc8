package scenic

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/waygate/waygate/guidance/narrate"
	"github.com/waygate/waygate/index/surroundings"
)

// gains returns the kinds of scenery with a weight that a route has more of than the fastest, those
// that count most first.
func (c *comparison) gains(one *route) (list []surroundings.Sight) {
	for k := range kinds {
		if kinds[k].weight > 0 && one.track.seen[k].metres-c.fastest.track.seen[k].metres >= leastGain {
			list = append(list, surroundings.Sight(k))
		}
	}
	slices.SortStableFunc(list, func(a, b surroundings.Sight) int { return cmp.Compare(c.gain(one, b), c.gain(one, a)) })
	return list
}

// gain is by how much a kind raises the score of a route above that of the fastest.
func (c *comparison) gain(one *route, k surroundings.Sight) float64 {
	return kinds[k].weight * (one.track.share(int(k)) - c.fastest.track.share(int(k)))
}

// reason says why a route is called scenic.
func (c *comparison) reason(one *route) string {
	var parts []string
	for _, k := range c.gains(one) {
		text := fmt.Sprintf("%s for %.1f km", strings.ReplaceAll(string(kinds[k].kind), "_", " "), one.track.seen[k].metres/1000)
		if name := one.track.seen[k].name(); name != nil {
			text += " (" + *name + ")"
		}
		parts = append(parts, fmt.Sprintf("%s, %.1f km on the fastest route", text, c.fastest.track.seen[k].metres/1000))
	}
	return fmt.Sprintf("%s; it scores %.3f, the fastest route %.3f", strings.Join(parts, "; "), one.track.score(), c.fastest.track.score())
}

// mostSpoken is how many kinds of scenery are spoken of.
const mostSpoken = 2

// compared compares the chosen route with the fastest.
func (c *comparison) compared(chosen *route, scenic bool) *Comparison {
	fast, other := c.fastest.found().Rounded(), chosen.found().Rounded()
	out := &Comparison{
		Fastest: Sums{fast.Seconds, fast.Metres}, Chosen: Sums{other.Seconds, other.Metres},
		ExtraSeconds: thousandths(other.Seconds - fast.Seconds), ExtraMetres: other.Metres - fast.Metres,
	}
	out.ExtraMinutes = math.Round(out.ExtraSeconds/6) / 10
	words, _ := narrate.Find(c.Route.Language)
	if !scenic {
		out.Spoken = narrate.NoScenicRoute(words, c.MaxExtra)
		return out
	}
	var sights []narrate.Scenery
	for _, k := range c.gains(chosen)[:min(mostSpoken, len(c.gains(chosen)))] {
		sights = append(sights, narrate.Scenery{Kind: spoken[k], Metres: chosen.track.seen[k].metres})
	}
	out.Spoken = narrate.ScenicRoute(words, out.ExtraMinutes, sights, c.Route.Miles)
	return out
}

// spoken has the kinds of the narration for the kinds with a weight.
var spoken = map[surroundings.Sight]narrate.SceneryKind{
	surroundings.Sea: narrate.Sea, surroundings.Protected: narrate.ProtectedLand, surroundings.OpenWater: narrate.OpenWater,
	surroundings.Woodland: narrate.Woodland, surroundings.NamedWater: narrate.NamedWater,
}
