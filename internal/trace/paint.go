package trace

// candidate is an element that was the largest so far, or the news that there is none any more.
type candidate struct {
	at         int64
	invalid    bool
	index      int
	navigation string
	frame      string
	node       node
	name, kind string
}

func (t *Trace) readCandidate(e *event) bool {
	var a struct {
		Frame string
		Data  struct {
			Index      int    `json:"candidateIndex"`
			Navigation string `json:"navigationId"`
			Node       int    `json:"nodeId"`
			Name       string `json:"nodeName"`
			Kind       string `json:"type"`
			Outermost  *bool  `json:"isOutermostMainFrame"`
			Main       *bool  `json:"isMainFrame"`
		}
	}
	if !e.into(&a) {
		return false
	}
	for _, no := range []*bool{a.Data.Main, a.Data.Outermost} {
		if no != nil && !*no {
			return false
		}
	}
	n := node{e.PID, a.Data.Node}
	t.name(n, a.Data.Name)
	t.candidates = append(t.candidates, candidate{
		at: e.at(), invalid: e.Name == "largestContentfulPaint::Invalidate", index: a.Data.Index,
		navigation: a.Data.Navigation, frame: a.Frame, node: n, name: a.Data.Name, kind: a.Data.Kind,
	})
	return true
}

func (t *Trace) readImageCandidate(e *event) bool {
	var a struct {
		Data struct {
			Node int    `json:"DOMNodeId"`
			Name string `json:"nodeName"`
			URL  string `json:"imageUrl"`
		}
	}
	if !e.into(&a) || a.Data.Node == 0 {
		return false
	}
	n := node{e.PID, a.Data.Node}
	t.name(n, a.Data.Name)
	t.imageURLs[n] = a.Data.URL
	return true
}

func (t *Trace) readPaintImage(e *event) bool {
	var a struct {
		Data struct {
			Node int    `json:"nodeId"`
			Name string `json:"nodeName"`
			URL  string `json:"url"`
		}
	}
	if !e.into(&a) || a.Data.Node == 0 {
		return false
	}
	n := node{e.PID, a.Data.Node}
	t.name(n, a.Data.Name)
	if t.imageURLs[n] == "" {
		t.imageURLs[n] = a.Data.URL
	}
	first, again := t.painted[n]
	if !again || e.at() < first {
		t.painted[n] = e.at()
	}
	return !again
}

func (t *Trace) readUnsized(e *event) bool {
	var a struct {
		Data struct {
			Node int `json:"nodeId"`
		}
	}
	if !e.into(&a) || a.Data.Node == 0 {
		return false
	}
	n := node{e.PID, a.Data.Node}
	if _, again := t.unsized[n]; again {
		return false
	}
	t.unsized[n] = e.at()
	return true
}

func (t *Trace) name(n node, name string) {
	if name != "" && n.id != 0 {
		t.names[n] = name
	}
}
