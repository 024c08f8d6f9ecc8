package laz

// returnMap6 gives the context of a number of returns (first index) and a return's
// number for differences of x and y, of which there are six.
var returnMap6 = [16][16]uint8{
	{0, 1, 2, 3, 4, 5, 3, 4, 4, 5, 5, 5, 5, 5, 5, 5},
	{1, 0, 1, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3, 3},
	{2, 1, 2, 4, 4, 4, 4, 4, 4, 4, 4, 3, 3, 3, 3, 3},
	{3, 3, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
	{4, 3, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
	{5, 3, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4},
	{3, 3, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4, 4},
	{4, 3, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4, 4},
	{4, 3, 4, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4, 4},
	{5, 3, 4, 4, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4, 4},
	{5, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 4, 4, 4, 4, 4},
	{5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 4, 4, 4},
	{5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 4, 4},
	{5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5, 4},
	{5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5, 5},
	{5, 3, 3, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 4, 5, 5},
}

// The layers of point14, in the order of the file.
const (
	layerXY = iota // with returns and the scanner channel
	layerZ
	layerClass
	layerFlags
	layerIntensity
	layerAngle
	layerUser
	layerSource
	layerTime
	layersOfPoint
)

// point14 is the part that all records of formats 6 to 10 begin with.
type point14 struct {
	version  int
	layer    [layersOfPoint]coder
	contexts [4]*context14 // by scanner channel, nil until one is first used
	current  int
}

// size14 is the length of the part.
const size14 = 30

// context14 predicts the points of one scanner channel.
type context14 struct {
	used      bool
	last      [size14]byte
	timed     bool // the last point's time was another than the one's before it
	intensity [8]uint16
	height    [8]int32
	dx, dy    [12]median
	changed   [8]model
	channel   model
	same      model // steps of the return's number within a pulse
	returns   [16]model
	number    [16]model
	class     [64]model
	flags     [64]model
	user      [64]model
	intensify integer
	angle     integer
	source    integer
	x, y, z   integer
	times     gpsTimes
}

func newContext14() *context14 {
	k := &context14{
		channel: model{symbols: 3}, same: model{symbols: 13}, intensify: newInteger(16, 4), angle: newInteger(16, 2),
		source: newInteger(16, 1), x: newInteger(32, 2), y: newInteger(32, 22), z: newInteger(32, 20), times: newGPSTimes(3),
	}
	for i := range 64 {
		k.class[i].symbols, k.flags[i].symbols, k.user[i].symbols = 256, 64, 256
	}
	for i := range 16 {
		k.returns[i].symbols, k.number[i].symbols = 16, 16
	}
	for i := range k.changed {
		k.changed[i].symbols = 128
	}
	return k
}

// begin starts to predict from a point, which need not be of the same channel.
func (k *context14) begin(rec []byte) {
	k.used, k.timed = true, false
	copy(k.last[:], rec)
	for i := range 8 {
		k.intensity[i], k.height[i] = le.Uint16(rec[12:]), int32(le.Uint32(rec[8:]))
	}
	resetMedians(k.dx[:])
	resetMedians(k.dy[:])
	k.channel.ready, k.same.ready = false, false
	for _, m := range [][]model{k.changed[:], k.returns[:], k.number[:], k.class[:], k.flags[:], k.user[:]} {
		unready(m)
	}
	for _, i := range []*integer{&k.intensify, &k.angle, &k.source, &k.x, &k.y, &k.z} {
		i.reset()
	}
	k.times.reset(le.Uint64(rec[22:]))
}

func (p *point14) layers() []*coder {
	all := make([]*coder, layersOfPoint)
	for i := range all {
		all[i] = &p.layer[i]
	}
	return all
}

func (p *point14) first(rec []byte, context *int) {
	for _, k := range p.contexts {
		if k != nil {
			k.used = false
		}
	}
	p.current = channelOf(rec)
	*context = p.current
	p.begin(p.current, rec)
}

func (p *point14) begin(channel int, rec []byte) {
	if p.contexts[channel] == nil {
		p.contexts[channel] = newContext14()
	}
	p.contexts[channel].begin(rec)
}

func channelOf(rec []byte) int { return int(rec[15] >> 4 & 3) }

func bit(b bool) uint32 {
	if b {
		return 1
	}
	return 0
}

// Bits of what changed from a point to the next.
const (
	changedReturnUp   = 1 << iota // with changedReturnDown: by more than one
	changedReturnDown             //
	changedReturns
	changedAngle
	changedTime
	changedSource
	changedChannel
)

// compare returns what differs in rec from the last point of its channel.
func (p *point14) compare(rec []byte) (changed uint32) {
	channel := channelOf(rec)
	last := &p.contexts[p.current].last
	if k := p.contexts[channel]; k != nil && k.used {
		last = &k.last
	}
	switch (rec[14] - last[14]) & 15 {
	case 0:
	case 1:
		changed = changedReturnUp
	case 15:
		changed = changedReturnDown
	default:
		changed = changedReturnUp | changedReturnDown
	}
	return changed | changedReturns*bit(rec[14]>>4 != last[14]>>4) |
		changedAngle*bit(le.Uint16(rec[18:]) != le.Uint16(last[18:])) |
		changedTime*bit(le.Uint64(rec[22:]) != le.Uint64(last[22:])) |
		changedSource*bit(le.Uint16(rec[20:]) != le.Uint16(last[20:])) |
		changedChannel*bit(channel != p.current)
}

func (p *point14) next(rec []byte, context *int) {
	rec = rec[:size14]
	c, k := &p.layer[layerXY], p.contexts[p.current]
	changed := uint32(0)
	if c.encoding {
		changed = p.compare(rec)
	}
	r, n := k.last[14]&15, k.last[14]>>4
	changed = c.symbol(&k.changed[bit(r == 1)|bit(r >= n)<<1|bit(k.timed)<<2], changed)
	if changed&changedChannel != 0 {
		p.current = (p.current + int(c.symbol(&k.channel, uint32(channelOf(rec)-p.current-1)&3)) + 1) & 3
		if next := p.contexts[p.current]; next == nil || !next.used {
			p.begin(p.current, k.last[:])
		}
		k = p.contexts[p.current]
	}
	// Version 3 leaves the context of the other parts at 0 unless the channel changed,
	// by an error of the first implementation that all follow.
	if p.version > 3 || changed&changedChannel != 0 {
		*context = p.current
	}
	k.last[15] = k.last[15]&^0x30 | byte(p.current)<<4
	k.timed = changed&changedTime != 0
	p.position(k, rec, changed)
	p.attributes(k, rec, changed)
	copy(rec, k.last[:])
}

// position codes the returns and the coordinates of a point.
func (p *point14) position(k *context14, rec []byte, changed uint32) {
	c := &p.layer[layerXY]
	r, n := uint32(k.last[14]&15), uint32(k.last[14]>>4)
	if changed&changedReturns != 0 {
		n = c.symbol(&k.returns[n], uint32(rec[14]>>4))
	}
	switch changed & (changedReturnUp | changedReturnDown) {
	case changedReturnUp:
		r = (r + 1) & 15
	case changedReturnDown:
		r = (r + 15) & 15
	case changedReturnUp | changedReturnDown:
		if k.timed {
			r = c.symbol(&k.number[r], uint32(rec[14]&15))
		} else {
			r = (r + c.symbol(&k.same, (uint32(rec[14])-r-2)&15) + 2) & 15
		}
	}
	k.last[14] = byte(n<<4 | r)
	only := bit(n == 1)
	m := uint32(returnMap6[n][r])<<1 | bit(k.timed)
	x, y := int32(le.Uint32(k.last[0:])), int32(le.Uint32(k.last[4:]))
	d := k.x.code(c, k.dx[m].get(), int32(le.Uint32(rec[0:]))-x, int(only))
	k.dx[m].add(d)
	le.PutUint32(k.last[0:], uint32(x+d))
	d = k.y.code(c, k.dy[m].get(), int32(le.Uint32(rec[4:]))-y, int(only|min(k.x.k, 20)&^1))
	k.dy[m].add(d)
	le.PutUint32(k.last[4:], uint32(y+d))
	if c = &p.layer[layerZ]; !c.empty {
		c.used = true
		l := min(apart(int(n), int(r)), 7)
		k.height[l] = k.z.code(c, k.height[l], int32(le.Uint32(rec[8:])), int(only|min((k.x.k+k.y.k)/2, 18)&^1))
		le.PutUint32(k.last[8:], uint32(k.height[l]))
	}
}

// attributes codes the rest of a point.
func (p *point14) attributes(k *context14, rec []byte, changed uint32) {
	last := &k.last
	r, n := last[14]&15, last[14]>>4
	if c := &p.layer[layerClass]; !c.empty {
		c.used = c.used || rec[16] != last[16]
		last[16] = byte(c.symbol(&k.class[uint32(last[16]&31)<<1|bit(r == 1 && r >= n)], uint32(rec[16])))
	}
	if c := &p.layer[layerFlags]; !c.empty {
		flags := last[15]&15 | last[15]>>6<<4
		f := rec[15]&15 | rec[15]>>6<<4
		c.used = c.used || f != flags
		f = byte(c.symbol(&k.flags[flags], uint32(f)))
		last[15] = last[15]&0x30 | f&15 | f>>4<<6
	}
	if c := &p.layer[layerIntensity]; !c.empty {
		v := le.Uint16(rec[12:])
		c.used = c.used || v != le.Uint16(last[12:])
		of := bit(r == 1)<<1 | bit(r >= n)
		was := &k.intensity[of<<1|bit(k.timed)]
		*was = uint16(k.intensify.code(c, int32(*was), int32(v), int(of)))
		le.PutUint16(last[12:], *was)
	}
	if c := &p.layer[layerAngle]; !c.empty && changed&changedAngle != 0 {
		c.used = true
		was := int32(int16(le.Uint16(last[18:])))
		le.PutUint16(last[18:], uint16(k.angle.code(c, was, int32(int16(le.Uint16(rec[18:]))), int(bit(k.timed)))))
	}
	if c := &p.layer[layerUser]; !c.empty {
		c.used = c.used || rec[17] != last[17]
		last[17] = byte(c.symbol(&k.user[last[17]>>2], uint32(rec[17])))
	}
	if c := &p.layer[layerSource]; !c.empty && changed&changedSource != 0 {
		c.used = true
		le.PutUint16(last[20:], uint16(k.source.code(c, int32(le.Uint16(last[20:])), int32(le.Uint16(rec[20:])), 0)))
	}
	if c := &p.layer[layerTime]; !c.empty && changed&changedTime != 0 {
		c.used = true
		le.PutUint64(last[22:], k.times.code(c, le.Uint64(rec[22:])))
	}
}
