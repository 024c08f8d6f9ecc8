package laz

// follow gives each part other than point14 the value to predict from. Version 3
// predicts from the channel before the last change unless the new one is used for the
// first time, by an error of the first implementation that all follow; version 4 always
// from the channel itself.
type follow struct {
	version int
	used    [4]bool
	at      int
}

func (f *follow) first(context int) {
	f.used = [4]bool{}
	f.used[context] = true
	f.at = context
}

// next returns the channel to predict from. If start, its value must be set to that of
// another channel, from, first.
func (f *follow) next(context int) (at, from int, start bool) {
	at, from = f.at, f.at
	if context != f.at {
		f.at = context
		start = !f.used[context]
		f.used[context] = true
		if start || f.version > 3 {
			at = context
		}
	}
	return at, from, start
}

// colour14 is red, green and blue.
type colour14 struct {
	follow  follow
	layer   coder
	context [4]colours
	last    [4][6]byte
}

func newColour14(version int) *colour14 {
	f := &colour14{follow: follow{version: version}}
	for i := range f.context {
		f.context[i] = newColours()
	}
	return f
}

func (f *colour14) layers() []*coder { return []*coder{&f.layer} }

func (f *colour14) first(rec []byte, context *int) {
	f.follow.first(*context)
	for i := range f.context {
		f.context[i].reset()
	}
	copy(f.last[*context][:], rec)
}

func (f *colour14) next(rec []byte, context *int) {
	at, from, start := f.follow.next(*context)
	if start {
		f.last[at] = f.last[from]
	}
	if f.layer.empty {
		copy(rec, f.last[at][:])
		return
	}
	f.context[*context].code(&f.layer, f.last[at][:], rec)
	copy(f.last[at][:], rec)
}

// infrared14 is the near infrared.
type infrared14 struct {
	follow follow
	layer  coder
	change [4]model
	diff   [4][2]model
	last   [4][2]byte
}

func newInfrared14(version int) *infrared14 {
	f := &infrared14{follow: follow{version: version}}
	for i := range f.change {
		f.change[i].symbols, f.diff[i][0].symbols, f.diff[i][1].symbols = 4, 256, 256
	}
	return f
}

func (f *infrared14) layers() []*coder { return []*coder{&f.layer} }

func (f *infrared14) first(rec []byte, context *int) {
	f.follow.first(*context)
	unready(f.change[:])
	for i := range f.diff {
		unready(f.diff[i][:])
	}
	copy(f.last[*context][:], rec)
}

func (f *infrared14) next(rec []byte, context *int) {
	at, from, start := f.follow.next(*context)
	if start {
		f.last[at] = f.last[from]
	}
	last := &f.last[at]
	if c := &f.layer; !c.empty {
		change := bit(rec[0] != last[0]) | bit(rec[1] != last[1])<<1
		c.used = c.used || change != 0
		change = c.symbol(&f.change[*context], change)
		for i := range 2 {
			if change&(1<<i) != 0 {
				last[i] += byte(c.symbol(&f.diff[*context][i], uint32(rec[i]-last[i])))
			}
		}
	}
	copy(rec, last[:])
}

// wave14 is a descriptor of a waveform.
type wave14 struct {
	follow  follow
	layer   coder
	context [4]*waves
	last    [4][waveSize]byte
}

func newWave14(version int) *wave14 {
	f := &wave14{follow: follow{version: version}}
	for i := range f.context {
		f.context[i] = newWaves()
	}
	return f
}

func (f *wave14) layers() []*coder { return []*coder{&f.layer} }

func (f *wave14) first(rec []byte, context *int) {
	f.follow.first(*context)
	for i := range f.context {
		f.context[i].reset()
	}
	copy(f.last[*context][:], rec)
}

func (f *wave14) next(rec []byte, context *int) {
	at, from, start := f.follow.next(*context)
	if start {
		f.last[at] = f.last[from]
	}
	last := f.last[at][:]
	if c := &f.layer; !c.empty {
		c.used = c.used || string(rec[:waveSize]) != string(last)
		f.context[*context].code(c, last, rec)
		copy(last, rec)
		return
	}
	copy(rec, last)
}

// extra14 is bytes that the format does not define, each a layer of its own.
type extra14 struct {
	follow follow
	layer  []coder
	models [4][]model
	last   [4][]byte
}

func newExtra14(version, size int) *extra14 {
	f := &extra14{follow: follow{version: version}, layer: make([]coder, size)}
	for i := range f.models {
		f.models[i], f.last[i] = make([]model, size), make([]byte, size)
		for j := range f.models[i] {
			f.models[i][j].symbols = 256
		}
	}
	return f
}

func (f *extra14) layers() []*coder {
	all := make([]*coder, len(f.layer))
	for i := range all {
		all[i] = &f.layer[i]
	}
	return all
}

func (f *extra14) first(rec []byte, context *int) {
	f.follow.first(*context)
	for i := range f.models {
		unready(f.models[i])
	}
	copy(f.last[*context], rec)
}

func (f *extra14) next(rec []byte, context *int) {
	at, from, start := f.follow.next(*context)
	if start {
		copy(f.last[at], f.last[from])
	}
	last, models := f.last[at], f.models[*context]
	for i := range last {
		if c := &f.layer[i]; !c.empty {
			d := rec[i] - last[i]
			c.used = c.used || d != 0
			last[i] += byte(c.symbol(&models[i], uint32(d)))
		}
		rec[i] = last[i]
	}
}
