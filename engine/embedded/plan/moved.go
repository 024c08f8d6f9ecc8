package plan

// farMove is the distance in metres from which a caller is warned that a location is not
// at the road nearest to it, and mostMoves the number of such warnings of a request.
const (
	farMove   = 25
	mostMoves = 20
)

// nearest is the road nearest to a location, whether the traveller may use it or not.
type nearest struct {
	seen   bool
	metres float64
	usable bool
}

// moved is how far a location is from where it is on the roads, and how far from a
// nearer road. It is zero where that is near or the nearest.
type moved struct {
	metres, nearest float64
	island          bool // the nearer road may be used, but leads nowhere
}

// see keeps the first road that is looked at.
func (n *nearest) see(metres float64, usable bool) {
	if !n.seen {
		*n = nearest{true, metres, usable}
	}
}

// movedTo returns how a location is treated that is on the roads so many metres away.
func (n *nearest) movedTo(metres float64) moved {
	if metres <= farMove || metres-n.metres <= sameSpot {
		return moved{}
	}
	return moved{metres, n.metres, n.usable}
}
