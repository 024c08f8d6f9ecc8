package overlay

type Clock struct{ Arrive, Frozen bool }

func (c *Clock) Enter(e, f uint32, at int64) (when int64, open bool) { return at, true }
