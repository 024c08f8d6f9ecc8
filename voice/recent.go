package voice

// mostRecent is how many values each of the two halves of a recent has.
const mostRecent = 5000

// recent keeps the values that were used last: between one and two times mostRecent. The
// zero value is empty.
type recent[V any] struct{ young, old map[string]V }

func (r *recent[V]) get(key string) (V, bool) {
	if v, ok := r.young[key]; ok {
		return v, true
	}
	v, ok := r.old[key]
	if ok {
		r.put(key, v)
	}
	return v, ok
}

func (r *recent[V]) put(key string, v V) {
	if r.young == nil || len(r.young) >= mostRecent {
		r.young, r.old = map[string]V{}, r.young
	}
	r.young[key] = v
}

func (r *recent[V]) drop(key string) {
	delete(r.young, key)
	delete(r.old, key)
}
