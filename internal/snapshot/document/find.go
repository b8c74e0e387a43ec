package document

// Find returns the node with a uid, in the document or its frames, or nil if there is none.
func (d *Doc) Find(uid string) *Node {
	label, id, ok := ParseUID(uid)
	if !ok {
		return nil
	}

	var found *Node
	d.Each(func(d *Doc) {
		if d.Label == label && found == nil {
			found = d.Root.find(id)
		}
	})
	return found
}

func (n *Node) find(id int) *Node {
	if n.ID == id {
		return n
	}
	for _, k := range n.Kids {
		if f := k.find(id); f != nil {
			return f
		}
	}
	return nil
}

// Each calls visit once for the document and for each document of its frames.
func (d *Doc) Each(visit func(*Doc)) {
	seen := map[*Doc]bool{}
	var walk func(d *Doc)
	walk = func(d *Doc) {
		if d == nil || d.Root == nil || seen[d] {
			return
		}
		seen[d] = true
		visit(d)
		for _, f := range d.Frames {
			walk(f)
		}
	}
	walk(d)
}

// Missing returns how many nodes the walker did not report, in the document and its frames.
func (d *Doc) Missing() int {
	n := 0
	d.Each(func(d *Doc) { n += d.Unreported })
	return n
}

// Under returns the set of a node of a page and all nodes below it, frames included.
func (d *Doc) Under(n *Node) map[*Node]bool {
	docs := map[*Node]*Doc{}
	d.Each(func(d *Doc) {
		for _, id := range d.Iframes() {
			if f := d.Frames[id]; f != nil && f.Root != nil {
				docs[d.Root.find(id)] = f
			}
		}
	})

	set := map[*Node]bool{}
	var walk func(n *Node)
	walk = func(n *Node) {
		if n == nil || set[n] {
			return
		}
		set[n] = true
		if f := docs[n]; f != nil {
			walk(f.Root)
		}
		for _, k := range n.Kids {
			walk(k)
		}
	}
	walk(n)
	return set
}
