package order

import (
	"context"

	"github.com/waygate/waygate/road/graph"
)

// flow finds small cuts of one part of the network.
type flow struct {
	ctx   context.Context // what is found once it has ended is of no use
	n     Network
	nodes []graph.Node // of the network
	ends  [][2]uint32  // of each road, as indices into nodes

	// The arcs of node i are head[first[i]:first[i+1]]; the reverse of arc a is
	// twin[a]. used[a] is 1 where a unit flows along it, -1 against it.
	first, head, twin []uint32
	used              []int8

	level, next, queue []uint32
	side               []uint8 // by node: free, source or sink
	stack              []uint32
}

const (
	free   = 0
	source = 1
	sink   = 2
)

func newFlow(ctx context.Context, n Network, nodes []graph.Node, roads []graph.Segment) *flow {
	f := &flow{ctx: ctx, n: n, nodes: nodes, ends: make([][2]uint32, len(roads))}
	index := localIndex(nodes)
	f.first = make([]uint32, len(nodes)+1)
	for i, r := range roads {
		a, b := index.of(n.Roads[r][0]), index.of(n.Roads[r][1])
		f.ends[i] = [2]uint32{a, b}
		if a != b {
			f.first[a+1]++
			f.first[b+1]++
		}
	}
	for i := range nodes {
		f.first[i+1] += f.first[i]
	}
	arcs := f.first[len(nodes)]
	f.head, f.twin, f.used = make([]uint32, arcs), make([]uint32, arcs), make([]int8, arcs)
	at := make([]uint32, len(nodes))
	copy(at, f.first)
	for _, e := range f.ends {
		if e[0] == e[1] {
			continue
		}
		x, y := at[e[0]], at[e[1]]
		at[e[0]]++
		at[e[1]]++
		f.head[x], f.head[y], f.twin[x], f.twin[y] = e[1], e[0], y, x
	}
	f.level, f.next = make([]uint32, len(nodes)), make([]uint32, len(nodes))
	f.queue, f.side = make([]uint32, 0, len(nodes)), make([]uint8, len(nodes))
	return f
}

// index finds a node's place among those of a part, which are sorted.
type index struct{ nodes []graph.Node }

func localIndex(nodes []graph.Node) index { return index{nodes} }

func (x index) of(v graph.Node) uint32 {
	lo, hi := 0, len(x.nodes)
	for lo < hi {
		if mid := int(uint(lo+hi) >> 1); x.nodes[mid] < v {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	return uint32(lo)
}

// lines are the directions along which nodes are sorted.
var lines = [4][2]int64{{1, 0}, {0, 1}, {1, 1}, {1, -1}}

// terminalShare is the part of the nodes that are sources, and the part that are
// sinks.
const terminalShare = 0.25

// bisect splits the nodes in two, 0 and 1, with few roads between them.
func (f *flow) bisect() []uint8 {
	n := len(f.nodes)
	best, bestScore := make([]uint8, n), -1.0
	if f.splitComponents(best) {
		return best
	}
	key, sorted := make([]int64, n), make([]uint32, n)
	trial := make([]uint8, n)
	fixed := max(1, int(float64(n)*terminalShare))
	if n < 4 {
		fixed = 1
	}
	limit := len(f.head) // no cut is larger
	for _, line := range lines {
		if f.ctx.Err() != nil {
			return best
		}
		for i, v := range f.nodes {
			key[i] = line[0]*int64(f.n.X[v]) + line[1]*int64(f.n.Y[v])
			sorted[i] = uint32(i)
		}
		sortAlong(sorted, key)
		clear(f.side)
		for _, i := range sorted[:fixed] {
			f.side[i] = source
		}
		for _, i := range sorted[n-fixed:] {
			f.side[i] = sink
		}
		cut, ok := f.maxFlow(limit)
		if !ok {
			continue
		}
		smaller := f.sidesOfCut(trial)
		// The score is the roads cut for each node on the smaller side: a cut
		// into more balanced parts may take more roads.
		if score := float64(cut) / float64(smaller); bestScore < 0 || score < bestScore {
			best, trial, bestScore = trial, best, score
			limit = min(limit, int(score*float64(n)/2)+1)
		}
	}
	return best
}

// splitComponents puts the connected components of the nodes on two sides of like
// size, and reports whether there is more than one.
func (f *flow) splitComponents(side []uint8) bool {
	n := len(f.nodes)
	seen, pieces := f.level, 0
	clear(seen)
	var sizes []int
	for i := range uint32(n) {
		if seen[i] != 0 {
			continue
		}
		pieces++
		seen[i] = uint32(pieces)
		f.queue = append(f.queue[:0], i)
		for k := 0; k < len(f.queue); k++ {
			v := f.queue[k]
			for a := f.first[v]; a < f.first[v+1]; a++ {
				if w := f.head[a]; seen[w] == 0 {
					seen[w] = uint32(pieces)
					f.queue = append(f.queue, w)
				}
			}
		}
		sizes = append(sizes, len(f.queue))
	}
	if pieces == 1 {
		return false
	}
	// Each piece goes to the side that is lighter so far.
	to, weight := make([]uint8, pieces), [2]int{}
	for p, size := range sizes {
		if weight[1] < weight[0] {
			to[p] = 1
		}
		weight[to[p]] += size
	}
	for i := range n {
		side[i] = to[seen[i]-1]
	}
	return true
}

// maxFlow finds a maximum flow from sources to sinks, one unit to a road, by
// Dinitz's algorithm, and gives its value; not ok once it exceeds limit.
func (f *flow) maxFlow(limit int) (value int, ok bool) {
	clear(f.used)
	for f.ctx.Err() == nil && f.bfsLevels() {
		copy(f.next, f.first)
		for _, s := range f.queue {
			if f.side[s] != source {
				break // sources are first in the queue
			}
			for f.augment(s) {
				if value++; value > limit || value%256 == 0 && f.ctx.Err() != nil {
					return value, false
				}
			}
		}
	}
	return value, true
}

const unseen = ^uint32(0)

// bfsLevels numbers the nodes by their distance from the sources in the residual
// network, and reports whether a sink is reached.
func (f *flow) bfsLevels() bool {
	f.queue = f.queue[:0]
	for i := range f.level {
		f.level[i] = unseen
		if f.side[i] == source {
			f.level[i] = 0
			f.queue = append(f.queue, uint32(i))
		}
	}
	reached := unseen
	for k := 0; k < len(f.queue); k++ {
		v := f.queue[k]
		if f.level[v] >= reached {
			break
		}
		for a := f.first[v]; a < f.first[v+1]; a++ {
			w := f.head[a]
			if f.used[a] == 1 || f.level[w] != unseen {
				continue
			}
			f.level[w] = f.level[v] + 1
			if f.side[w] == sink {
				reached = f.level[w]
			}
			f.queue = append(f.queue, w)
		}
	}
	return reached != unseen
}

// augment sends one unit from s to a sink, each arc leading one level further.
func (f *flow) augment(s uint32) bool {
	path := f.stack[:0]
	v := s
	for f.side[v] != sink {
		advanced := false
		for ; f.next[v] < f.first[v+1]; f.next[v]++ {
			a := f.next[v]
			if w := f.head[a]; f.used[a] != 1 && f.level[w] == f.level[v]+1 {
				path = append(path, a)
				v, advanced = w, true
				break
			}
		}
		if advanced {
			continue
		}
		if len(path) == 0 {
			f.stack = path
			return false
		}
		// A dead end: go back one arc and do not try it again.
		last := path[len(path)-1]
		path = path[:len(path)-1]
		v = f.head[f.twin[last]]
		f.next[v]++
	}
	for _, a := range path {
		f.used[a]++
		f.used[f.twin[a]]--
	}
	f.stack = path
	return true
}

// sidesOfCut splits the nodes along the saturated cut that is more balanced, the
// one nearest the sources or the one nearest the sinks, and gives the size of
// the smaller side.
func (f *flow) sidesOfCut(side []uint8) int {
	n := len(f.nodes)
	near := f.reachableFrom(source)
	far := f.reachableFrom(sink)
	if min(near, n-near) >= min(far, n-far) {
		near = f.reachableFrom(source)
		for i := range side {
			side[i] = 1
		}
		for _, v := range f.queue {
			side[v] = 0
		}
		return min(near, n-near)
	}
	clear(side)
	for _, v := range f.queue {
		side[v] = 1
	}
	return min(far, n-far)
}

// reachableFrom collects, in the queue, the nodes that the sources can reach in the
// residual network or, for sinks, that can reach them.
func (f *flow) reachableFrom(from uint8) int {
	f.queue = f.queue[:0]
	for i := range f.level {
		f.level[i] = unseen
		if f.side[i] == from {
			f.level[i] = 0
			f.queue = append(f.queue, uint32(i))
		}
	}
	full := int8(1)
	if from == sink {
		full = -1 // arcs are followed against the direction of flow
	}
	for k := 0; k < len(f.queue); k++ {
		v := f.queue[k]
		for a := f.first[v]; a < f.first[v+1]; a++ {
			if w := f.head[a]; f.used[a] != full && f.level[w] == unseen {
				f.level[w] = 0
				f.queue = append(f.queue, w)
			}
		}
	}
	return len(f.queue)
}
