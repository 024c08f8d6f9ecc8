package model

import (
	"cmp"
	"slices"

	"github.com/waygate/waygate/fleet/search/limit"
)

// MostNear is how many neighbours of a visit are stored.
const MostNear = 250

// other is a neighbour of a visit.
type other struct {
	cost  int64
	visit int32
}

func nearer(a, b other) int {
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.visit, b.visit))
}

// neighbours sorts, for each visit, the nearest others by the way there and back.
func (m *Model) neighbours(watch *limit.Watch) {
	sl := &m.Slots[0]
	n := len(m.Visits)
	most := min(n, MostNear)
	m.Near = make([][]int32, n)
	all := make([]other, n)
	flat := make([]int32, 0, n*most)
	for v := range n {
		if watch.Spend(3*n + 20*most) {
			return
		}
		a := int(m.Visits[v].Location) * sl.Network.N
		for w := range n {
			b := a + int(m.Visits[w].Location)
			there, back := sl.Network.Out[b], sl.Network.In[b]
			c := sl.Cost(there) + sl.Cost(back)
			if sl.Second|sl.Metre == 0 {
				c = int64(there.Sec) + int64(back.Sec)
			}
			all[w] = other{c, int32(w)}
		}
		all[v].cost = -1 // itself first
		foremost(all, most)
		slices.SortFunc(all[:most], nearer)
		from := len(flat)
		for _, o := range all[:most] {
			flat = append(flat, o.visit)
		}
		m.Near[v] = flat[from:len(flat):len(flat)]
	}
}

// foremost moves the k nearest to the front, by quickselect.
func foremost(a []other, k int) {
	for len(a) > k && k > 0 {
		mid := a[len(a)/2]
		i, j := 0, len(a)-1
		for i <= j {
			for nearer(a[i], mid) < 0 {
				i++
			}
			for nearer(a[j], mid) > 0 {
				j--
			}
			if i <= j {
				a[i], a[j] = a[j], a[i]
				i++
				j--
			}
		}
		switch {
		case k <= j+1:
			a = a[:j+1]
		case k > i:
			a, k = a[i:], k-i
		default:
			return
		}
	}
}
