package osm

import "context"

// Passes are several readings of the same files, whose progress is reported as that of
// one work.
type Passes struct {
	Sources  []string // local files
	Count    int
	Progress func(done, size int64) // may be nil
}

// Scan reads all files in one of the passes, the first being 0, as the function Scan
// reads one.
func (p *Passes) Scan(ctx context.Context, pass int, o Options, fn func(*Block) error) error {
	n := int64(len(p.Sources))
	for i, source := range p.Sources {
		o.Progress = func(done, size int64) {
			if p.Progress != nil && size > 0 {
				p.Progress((int64(pass)*n+int64(i))*1000+done*1000/size, int64(p.Count)*n*1000)
			}
		}
		if _, err := Scan(ctx, source, o, fn); err != nil {
			return err
		}
	}
	return nil
}

// Each is Scan with a function that cannot fail.
func (p *Passes) Each(ctx context.Context, pass int, o Options, take func(*Block)) error {
	return p.Scan(ctx, pass, o, func(b *Block) error { take(b); return nil })
}
