package graph

// NameKey and RefKey are the text numbers of "name" and "ref" in every graph.
const (
	NameKey Text = 1
	RefKey  Text = 2
)

// interner numbers strings; number 0 is "".
type interner struct {
	numbers map[string]Text
	texts   []string
}

func (n *interner) init() {
	n.numbers = map[string]Text{"": 0, "name": NameKey, "ref": RefKey}
	n.texts = []string{"", "name", "ref"}
}

func (n *interner) intern(s string) Text {
	if i, ok := n.numbers[s]; ok {
		return i
	}
	i := Text(len(n.texts))
	n.numbers[s] = i
	n.texts = append(n.texts, s)
	return i
}

func (n *interner) arrays() (at []uint32, text []byte) {
	at = append(make([]uint32, 0, len(n.texts)+1), 0)
	for _, t := range n.texts {
		text = append(text, t...)
		at = append(at, uint32(len(text)))
	}
	return at, text
}

// setInterner numbers attribute sets; number 0 is the empty set.
type setInterner struct {
	numbers map[string]Set
	at      []uint32
	pairs   [][2]Text
	key     []byte
}

func (n *setInterner) init() {
	n.numbers = map[string]Set{"": 0}
	n.at = []uint32{0, 0}
}

func (n *setInterner) intern(set [][2]Text) Set {
	n.key = n.key[:0]
	for _, p := range set {
		for _, v := range p {
			n.key = append(n.key, byte(v), byte(v>>8), byte(v>>16), byte(v>>24))
		}
	}
	if i, ok := n.numbers[string(n.key)]; ok {
		return i
	}
	i := Set(len(n.at) - 1)
	n.numbers[string(n.key)] = i
	n.pairs = append(n.pairs, set...)
	n.at = append(n.at, uint32(len(n.pairs)))
	return i
}

func (n *setInterner) arrays() (at []uint32, pairs [][2]Text) { return n.at, n.pairs }
