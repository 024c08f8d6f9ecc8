package laz

// returnMap and returnLevel give the contexts of a number of returns and a return's
// number, by formulas: pulses with the same two behave alike, and so do returns as far
// from the last.
var returnMap = [8][8]uint8{
	{15, 14, 13, 12, 11, 10, 9, 8},
	{14, 0, 1, 3, 6, 10, 10, 9},
	{13, 1, 2, 4, 7, 11, 11, 10},
	{12, 3, 4, 5, 8, 12, 12, 11},
	{11, 6, 7, 8, 9, 13, 13, 12},
	{10, 10, 11, 12, 13, 14, 14, 13},
	{9, 10, 11, 12, 13, 14, 15, 14},
	{8, 9, 10, 11, 12, 13, 14, 15},
}

func apart(a, b int) int { return max(a-b, b-a) }

// point10 is the part that all records of formats 0 to 5 begin with.
type point10 struct {
	last      [20]byte
	intensity [16]uint16
	height    [8]int32
	dx, dy    [16]median
	changed   model
	bits      [256]model
	class     [256]model
	user      [256]model
	angle     [2]model
	intensify integer
	source    integer
	x, y, z   integer
}

func newPoint10() *point10 {
	p := &point10{
		changed: model{symbols: 64}, angle: [2]model{{symbols: 256}, {symbols: 256}},
		intensify: newInteger(16, 4), source: newInteger(16, 1),
		x: newInteger(32, 2), y: newInteger(32, 22), z: newInteger(32, 20),
	}
	for i := range 256 {
		p.bits[i].symbols, p.class[i].symbols, p.user[i].symbols = 256, 256, 256
	}
	return p
}

func (p *point10) first(rec []byte) {
	copy(p.last[:], rec)
	p.intensity, p.height = [16]uint16{}, [8]int32{}
	resetMedians(p.dx[:])
	resetMedians(p.dy[:])
	p.changed.ready = false
	for _, m := range [][]model{p.bits[:], p.class[:], p.user[:], p.angle[:]} {
		unready(m)
	}
	for _, i := range []*integer{&p.intensify, &p.source, &p.x, &p.y, &p.z} {
		i.reset()
	}
}

func (p *point10) next(c *coder, rec []byte) {
	rec = rec[:20]
	last := &p.last
	changed := uint32(0)
	if c.encoding {
		m := returnMap[rec[14]>>3&7][rec[14]&7]
		for i, differs := range [6]bool{
			le.Uint16(rec[18:]) != le.Uint16(last[18:]), rec[17] != last[17], rec[16] != last[16],
			rec[15] != last[15], le.Uint16(rec[12:]) != p.intensity[m], rec[14] != last[14],
		} {
			if differs {
				changed |= 1 << i
			}
		}
	}
	changed = c.symbol(&p.changed, changed)
	if changed&(1<<5) != 0 {
		last[14] = byte(c.symbol(&p.bits[last[14]], uint32(rec[14])))
	}
	r, n := int(last[14]&7), int(last[14]>>3&7)
	m, l := returnMap[n][r], apart(n, r)
	only := 0
	if n == 1 {
		only = 1
	}
	if changed&(1<<4) != 0 {
		p.intensity[m] = uint16(p.intensify.code(c, int32(p.intensity[m]), int32(le.Uint16(rec[12:])), int(min(m, 3))))
	}
	le.PutUint16(last[12:], p.intensity[m])
	if changed&(1<<3) != 0 {
		last[15] = byte(c.symbol(&p.class[last[15]], uint32(rec[15])))
	}
	if changed&(1<<2) != 0 {
		last[16] += byte(c.symbol(&p.angle[last[14]>>6&1], uint32(rec[16]-last[16])))
	}
	if changed&(1<<1) != 0 {
		last[17] = byte(c.symbol(&p.user[last[17]], uint32(rec[17])))
	}
	if changed&1 != 0 {
		le.PutUint16(last[18:], uint16(p.source.code(c, int32(le.Uint16(last[18:])), int32(le.Uint16(rec[18:])), 0)))
	}
	x, y := int32(le.Uint32(last[0:])), int32(le.Uint32(last[4:]))
	d := p.x.code(c, p.dx[m].get(), int32(le.Uint32(rec[0:]))-x, only)
	p.dx[m].add(d)
	le.PutUint32(last[0:], uint32(x+d))
	d = p.y.code(c, p.dy[m].get(), int32(le.Uint32(rec[4:]))-y, only+int(min(p.x.k, 20)&^1))
	p.dy[m].add(d)
	le.PutUint32(last[4:], uint32(y+d))
	p.height[l] = p.z.code(c, p.height[l], int32(le.Uint32(rec[8:])), only+int(min((p.x.k+p.y.k)/2, 18)&^1))
	le.PutUint32(last[8:], uint32(p.height[l]))
	copy(rec, last[:])
}

// time10, colour10, wave10 and extra10 are the other parts of formats 0 to 5.
type (
	time10   struct{ gpsTimes }
	colour10 struct {
		colours
		last [6]byte
	}
	wave10 struct {
		*waves
		last [waveSize]byte
	}
	extra10 struct {
		models []model
		last   []byte
	}
)

func newExtra10(size int) *extra10 {
	e := &extra10{models: make([]model, size), last: make([]byte, size)}
	for i := range e.models {
		e.models[i].symbols = 256
	}
	return e
}

func (f *time10) first(rec []byte)          { f.reset(le.Uint64(rec)) }
func (f *time10) next(c *coder, rec []byte) { le.PutUint64(rec, f.code(c, le.Uint64(rec))) }

func (f *colour10) first(rec []byte) {
	f.reset()
	copy(f.last[:], rec)
}

func (f *colour10) next(c *coder, rec []byte) {
	f.code(c, f.last[:], rec)
	copy(f.last[:], rec)
}

func (f *wave10) first(rec []byte) {
	f.reset()
	copy(f.last[:], rec)
}

func (f *wave10) next(c *coder, rec []byte) {
	f.code(c, f.last[:], rec)
	copy(f.last[:], rec)
}

func (f *extra10) first(rec []byte) {
	unready(f.models)
	copy(f.last, rec)
}

func (f *extra10) next(c *coder, rec []byte) {
	for i := range f.models {
		f.last[i] += byte(c.symbol(&f.models[i], uint32(rec[i]-f.last[i])))
		rec[i] = f.last[i]
	}
}
