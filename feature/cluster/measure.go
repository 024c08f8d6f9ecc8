package cluster

// centre returns the mean of a cluster's places.
func (d *division) centre(set []int) (c [2]float64) {
	for _, i := range set {
		c[0] += d.flat[i][0]
		c[1] += d.flat[i][1]
	}
	c[0] /= float64(len(set))
	c[1] /= float64(len(set))
	return c
}

func square(a, b [2]float64) float64 {
	return (a[0]-b[0])*(a[0]-b[0]) + (a[1]-b[1])*(a[1]-b[1])
}

// straightSpread returns the sum of the squares of the distances from the centre.
func (d *division) straightSpread(set []int) (sum float64) {
	c := d.centre(set)
	for _, i := range set {
		sum += square(d.flat[i], c)
	}
	return sum
}

// spread returns how far the stops of a cluster are from each other. By the road, where
// there is no centre, it is what the sum of squares from the centre would be: that
// of all pairs, by twice their number.
func (d *division) spread(set []int) (sum float64) {
	if d.Apart == nil {
		return d.straightSpread(set)
	}
	for _, i := range set {
		sum += d.from(i, set)
	}
	return sum / 2
}

// from returns the mean square of the distances between a stop and those of a set.
func (d *division) from(i int, set []int) (sum float64) {
	for _, j := range set {
		m := d.Apart(i, j)
		sum += m * m
	}
	return sum / float64(len(set))
}

// pull returns how much more a stop belongs to the second of two clusters than to
// the first: below 0 to the first.
func (d *division) pull(one, two []int) func(int) float64 {
	if d.Apart == nil {
		a, b := d.centre(one), d.centre(two)
		return func(i int) float64 { return square(d.flat[i], a) - square(d.flat[i], b) }
	}
	return func(i int) float64 { return d.from(i, one) - d.from(i, two) }
}
