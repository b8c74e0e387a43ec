package formguard

import (
	"net/url"
	"strings"

	"cove/internal/gate/markup"
	"cove/internal/sensitive"
)

// domSnapshot is the part of the answer to DOMSnapshot.captureSnapshot that the guard reads. All texts are in one
// table, and everything else refers to them by number.
type domSnapshot struct {
	Strings   []string           `json:"strings"`
	Documents []documentSnapshot `json:"documents"`
}

// documentSnapshot is one document of a domSnapshot: the page, or a frame that runs in the page's process.
type documentSnapshot struct {
	BaseURL int `json:"baseURL"`
	Nodes   struct {
		Name       []int   `json:"nodeName"`
		Attributes [][]int `json:"attributes"`
		ID         []int   `json:"backendNodeId"`
		InputValue struct {
			Index []int `json:"index"`
			Value []int `json:"value"`
		} `json:"inputValue"`
	} `json:"nodes"`
	Layout struct {
		Node   []int       `json:"nodeIndex"`
		Bounds [][]float64 `json:"bounds"` // x, y, width, height
		Styles [][]int     `json:"styles"` // in the order of snapshotStyles
	} `json:"layout"`
}

// snapshotStyles returns the styles that the guard asks for.
func snapshotStyles() []string { return []string{"-webkit-text-security"} }

func (s *domSnapshot) stringAt(i int) string {
	if i < 0 || i >= len(s.Strings) {
		return ""
	}

	return s.Strings[i]
}

// sensitiveFields returns the worst kind of the sensitive fields that are filled, and all sensitive fields of the page.
// A visible frame of a payment provider counts as a filled field. The fields in known were sensitive before.
func (s *domSnapshot) sensitiveFields(known map[int]sensitive.Kind) (sensitive.Kind, map[int]sensitive.Kind) {
	fields := map[int]sensitive.Kind{}
	var filled []sensitive.Kind
	for _, d := range s.Documents {
		for n, attributes := range d.Nodes.Attributes[:min(len(d.Nodes.Attributes), len(d.Nodes.ID))] {
			id := d.Nodes.ID[n]
			kind := known[id]
			if kind == sensitive.None {
				kind = markup.AttributesOf(len(attributes),
					func(i int) string { return s.stringAt(attributes[i]) }).Field().Kind()
			}
			if kind != sensitive.None {
				fields[id] = kind
			}
		}

		dots := s.drawnAsDots(d)
		values := d.Nodes.InputValue
		for i := range min(len(values.Index), len(values.Value)) {
			n := values.Index[i]
			if n < 0 || n >= len(d.Nodes.ID) || s.stringAt(values.Value[i]) == "" {
				continue
			}
			if dots[n] && fields[d.Nodes.ID[n]] == sensitive.None {
				fields[d.Nodes.ID[n]] = sensitive.Password
			}
			filled = append(filled, fields[d.Nodes.ID[n]])
		}
		if s.hasPaymentFrame(d) {
			filled = append(filled, sensitive.Payment)
		}
	}

	return sensitive.Worst(filled), fields
}

// drawnAsDots returns the nodes of a document whose text is drawn as dots.
func (s *domSnapshot) drawnAsDots(d documentSnapshot) map[int]bool {
	nodes := map[int]bool{}
	for i, n := range d.Layout.Node[:min(len(d.Layout.Node), len(d.Layout.Styles))] {
		if styles := d.Layout.Styles[i]; len(styles) > 0 {
			if security := s.stringAt(styles[0]); security != "" && security != "none" {
				nodes[n] = true
			}
		}
	}

	return nodes
}

// The least size of a frame that people see. Payment providers also add frames of a pixel to pages without a payment.
const leastFrameWidth, leastFrameHeight = 20, 10

// hasPaymentFrame reports whether a document shows a frame of a payment provider.
func (s *domSnapshot) hasPaymentFrame(d documentSnapshot) bool {
	for i, n := range d.Layout.Node[:min(len(d.Layout.Node), len(d.Layout.Bounds))] {
		if n < 0 || n >= min(len(d.Nodes.Name), len(d.Nodes.Attributes)) {
			continue
		}
		box, list := d.Layout.Bounds[i], d.Nodes.Attributes[n]
		if len(box) < 4 || box[2] <= leastFrameWidth || box[3] <= leastFrameHeight ||
			!markup.IsTag(s.stringAt(d.Nodes.Name[n]), "iframe") {
			continue
		}
		src := markup.AttributesOf(len(list), func(i int) string { return s.stringAt(list[i]) })["src"]
		if sensitive.PaymentHost(frameHost(s.stringAt(d.BaseURL), src)) {
			return true
		}
	}

	return false
}

// frameHost returns the host of a frame's address as browsers read it; "" for none. base is the address of the document
// that the frame is in.
func frameHost(base, src string) string {
	src = strings.TrimFunc(src, func(r rune) bool { return r <= ' ' })
	src = strings.NewReplacer("\t", "", "\r", "", "\n", "", `\`, "/").Replace(src)
	if src == "" {
		return ""
	}

	scheme, rest, absolute := strings.Cut(src, ":")
	switch {
	case strings.HasPrefix(src, "//"):
		rest = src
	case absolute && (strings.EqualFold(scheme, "https") || strings.EqualFold(scheme, "http")):
	case absolute && !strings.ContainsAny(scheme, "/?#"):
		return "" // about:, data:, blob:, javascript:
	default:
		u, err := url.Parse(base)
		if err != nil {
			return ""
		}
		return u.Hostname()
	}

	authority := strings.TrimLeft(rest, "/")
	if end := strings.IndexAny(authority, "/?#"); end >= 0 {
		authority = authority[:end]
	}
	host := authority[strings.LastIndexByte(authority, '@')+1:]
	host, _, _ = strings.Cut(host, ":")
	if plain, err := url.PathUnescape(host); err == nil {
		host = plain
	}
	return host
}
