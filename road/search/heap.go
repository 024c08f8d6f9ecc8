package search

// heap is a four-way heap of edges by cost. An edge whose cost falls is pushed
// again and its old entry skipped when it comes up.
type heap struct{ items []item }

type item struct {
	cost uint64
	edge uint32
}

func (h *heap) push(cost uint64, edge uint32) {
	h.items = append(h.items, item{cost, edge})
	items, i := h.items, len(h.items)-1
	for i > 0 {
		parent := (i - 1) / 4
		if items[parent].cost <= cost {
			break
		}
		items[i] = items[parent]
		i = parent
	}
	items[i] = item{cost, edge}
}

func (h *heap) pop() item {
	items := h.items
	top := items[0]
	last := items[len(items)-1]
	items = items[:len(items)-1]
	h.items = items
	n := len(items)
	if n == 0 {
		return top
	}
	i := 0
	for {
		child := 4*i + 1
		if child >= n {
			break
		}
		least := child
		for c := child + 1; c < min(child+4, n); c++ {
			if items[c].cost < items[least].cost {
				least = c
			}
		}
		if items[least].cost >= last.cost {
			break
		}
		items[i] = items[least]
		i = least
	}
	items[i] = last
	return top
}
