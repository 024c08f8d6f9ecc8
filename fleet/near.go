package fleet

import (
	"cmp"
	"slices"
)

// mostNear is how many visits near each other one knows.
const mostNear = 250

// other is a visit as another one sees it.
type other struct {
	cost  int64
	visit int32
}

func nearer(a, b other) int {
	return cmp.Or(cmp.Compare(a.cost, b.cost), cmp.Compare(a.visit, b.visit))
}

// neighbours sorts, for each visit, the nearest others by the way there and back.
func (m *model) neighbours(watch *watch) {
	sl := &m.slots[0]
	n := len(m.visits)
	most := min(n, mostNear)
	m.near = make([][]int32, n)
	all := make([]other, n)
	flat := make([]int32, 0, n*most)
	for v := range n {
		if watch.spend(3*n + 20*most) {
			return
		}
		a := int(m.visits[v].loc) * sl.net.n
		for w := range n {
			b := a + int(m.visits[w].loc)
			there, back := sl.net.out[b], sl.net.in[b]
			c := sl.cost(there) + sl.cost(back)
			if sl.second|sl.metre == 0 {
				c = int64(there.sec) + int64(back.sec)
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
		m.near[v] = flat[from:len(flat):len(flat)]
	}
}

// foremost brings the k nearest to the front, by quickselect.
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
