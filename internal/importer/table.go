package importer

import (
	"encoding/csv"
	"encoding/json"
	"errors"
	"io"
	"strings"

	"cove/internal/fault"
	"cove/internal/wording"
)

// row is one row of a table: what stands in each column that Cove takes along.
type row map[column]string

// openTable reads a table with a header. Its fields are separated by commas, semicolons or tabs.
func (r *reader) openTable(text string) {
	file := r.place
	d := csv.NewReader(strings.NewReader(text))
	d.Comma = delimiter(text)
	header, err := d.Read()
	if err != nil {
		r.failTable(err)
		return
	}
	columns, err := r.readHeader(header)
	if err != nil {
		r.fail(err)
		return
	}

	for {
		cells, err := d.Read()
		if errors.Is(err, io.EOF) {
			return
		}
		if err != nil {
			r.failTable(err)
			return
		}
		r.place = file
		r.place.Row, _ = d.FieldPos(0)
		if strings.TrimSpace(strings.Join(cells, "")) == "" {
			continue // a spreadsheet writes its empty rows, too
		}
		cut, err := r.cut(columns, header, cells)
		if err != nil {
			r.fail(err)
			continue
		}
		r.records = append(r.records, record{place: r.place, kind: aProfile, row: cut})
	}
}

// failTable words what encoding/csv found.
func (r *reader) failTable(err error) {
	var wrong *csv.ParseError
	if !errors.As(err, &wrong) {
		r.fail(fault.Invalidf("The file has no table."))
		return
	}
	r.place.Row = wrong.StartLine
	if errors.Is(err, csv.ErrFieldCount) {
		r.fail(fault.Invalidf("The row has more or fewer columns than the header.").
			WithHint("Put values with the separator in them into quotes."))
		return
	}
	r.fail(fault.Invalidf("The quotes of this row do not fit.").
		WithHint(`Put the value into quotes, and write a quote in it twice: "a ""word""".`))
}

// delimiter returns the character that separates the names of the header.
func delimiter(text string) rune {
	best, most := ',', 0
	for _, c := range []rune{',', ';', '\t'} {
		n, quoted := 0, false
	line:
		for _, at := range text {
			switch {
			case at == '"':
				quoted = !quoted
			case at == '\n' && !quoted:
				break line
			case at == c && !quoted:
				n++
			}
		}
		if n > most {
			best, most = c, n
		}
	}
	return best
}

// cut sorts the cells of a row into columns, and notes those that cannot be taken along.
func (r *reader) cut(columns []column, header, cells []string) (row, error) {
	out := row{}
	for i, cell := range cells {
		value := strings.TrimSpace(cell)
		c := columns[i]
		switch {
		case value == "" || c == quiet:
		case c == left:
			if err := refuseProxyIn(header[i], value); err != nil {
				return nil, err
			}
			r.leave(header[i], json.RawMessage(`"x"`))
		case (c == pages || c == site) && isLogin(value):
			return nil, unknownColumn(header[i], "may be about a proxy.")
		case (c == proxyPassword || c == proxyLogin) && out[c] == "":
			out[c] = cell // a blank may be part of it
		case out[c] == "" || out[c] == value || c == oldID:
			if out[c] == "" {
				out[c] = value
			}
		case c == tags || c == pages || c == remark:
			out[c] += "\n" + value
		default:
			return nil, fault.Invalidf("The row has two values for one thing, the second in the column %q.",
				wording.Shorten(header[i], 40)).WithHint("Remove one of the columns.")
		}
	}
	return out, nil
}

// rowProfile reads a profile from a row.
func (r *reader) rowProfile(in row) (p Profile, err error) {
	p.SourceID, p.Name, p.Notes, p.Folder = in[oldID], in[name], in[remark], in[folder]
	p.Tags, p.Locale, p.Timezone = split(in[tags], ",;|\n"), in[locale], in[timezone]
	p.StartPages = split(in[pages], " ,;|\r\n\t")
	r.sitePage("platform", in[site], &p)
	if s := in[status]; s != "" {
		p.Status = statusOf(object{"name": quote(s), "color": quote(in[statusColor])})
		if err := p.Status.Clean(); err != nil {
			return p, err
		}
	}
	if p.Cookies, err = r.readCookies(in[cookies]); err != nil {
		return p, err
	}
	return p, r.rowProxy(in, &p)
}

func quote(s string) json.RawMessage {
	raw, _ := json.Marshal(s) // a text can always be written
	return raw
}
