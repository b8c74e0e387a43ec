package pages

import (
	"strings"

	"cove/internal/fault"
)

func (r *runner) click() verb {
	var double bool
	v := words("click REF", "Click an element", "  cove page click k7 -s", 1, 1, func(args []string) (plan, error) {
		return one(headOK, "click", arguments{"uid": ref(args[0])}.set("dblClick", double))
	})
	v.cmd.Flags().BoolVar(&double, "double", false, "double click")
	return v
}

func (r *runner) hover() verb {
	return words("hover REF", "Move the mouse over an element", "  cove page hover k7 -s", 1, 1,
		func(args []string) (plan, error) { return one(headOK, "hover", arguments{"uid": ref(args[0])}) })
}

func (r *runner) drag() verb {
	return words("drag REF REF", "Drag one element onto another", "  cove page drag k3 k9", 2, 2,
		func(args []string) (plan, error) {
			return one(headOK, "drag", arguments{"from_uid": ref(args[0]), "to_uid": ref(args[1])})
		})
}

func (r *runner) fill() verb {
	var enter bool
	const example = "  cove page fill k4=ann@example.com k5=hello --enter -s\n  cove page fill k4 'a value'"
	v := words("fill REF=VALUE …", "Fill in one field or several", example, 1, -1, func(args []string) (plan, error) {
		fields, err := fieldsOf(args)
		if err != nil {
			return plan{}, err
		}
		p := plan{steps: []step{{"fill_form", arguments{"elements": fields}}}}
		if len(fields) == 1 {
			p.steps[0] = step{"fill", arguments{"uid": fields[0]["uid"], "value": fields[0]["value"]}}
		}
		if enter {
			p.steps = append(p.steps, step{"press_key", arguments{"key": "Enter"}})
		}
		return p, nil
	})
	v.cmd.Flags().BoolVar(&enter, "enter", false, "press Enter after the last field")
	return v
}

// fieldsOf reads REF=VALUE …, or a single REF and its VALUE.
func fieldsOf(args []string) (fields []map[string]any, err error) {
	if len(args) == 2 && !strings.Contains(args[0], "=") {
		return []map[string]any{{"uid": ref(args[0]), "value": args[1]}}, nil
	}
	for _, arg := range args {
		name, value, ok := strings.Cut(arg, "=")
		if !ok || name == "" {
			return nil, fault.Invalidf("%q is not REF=VALUE.", arg).
				WithHint("For example: cove page fill k4=ann@example.com")
		}
		fields = append(fields, map[string]any{"uid": ref(name), "value": value})
	}
	return fields, nil
}

func (r *runner) choose() verb {
	return words("select REF OPTION …", "Choose an option, or exactly these where a list takes several",
		"  cove page select k6 Green\n  cove page select k7 Red Blue", 2, -1,
		func(args []string) (plan, error) {
			return one(headOK, "fill", arguments{"uid": ref(args[0]), "options": args[1:]})
		})
}

func (r *runner) check(name, value string) verb {
	return words(name+" REF", strings.ToUpper(name[:1])+name[1:]+" a box", "  cove page "+name+" k8", 1, 1,
		func(args []string) (plan, error) {
			return one(headOK, "fill", arguments{"uid": ref(args[0]), "value": value})
		})
}

func (r *runner) typeText() verb {
	return words("type TEXT", "Type where the focus is", "  cove page type 'hello'", 1, 1,
		func(args []string) (plan, error) { return one(headOK, "type_text", arguments{"text": args[0]}) })
}

func (r *runner) press() verb {
	return words("press KEY", "Press a key or a combination of keys", "  cove page press Control+A", 1, 1,
		func(args []string) (plan, error) { return one(headOK, "press_key", arguments{"key": args[0]}) })
}

func (r *runner) upload() verb {
	return words("upload REF FILE …", "Give files to the page", "  cove page upload k3 invoice.pdf", 2, -1,
		func(args []string) (plan, error) {
			return one(headOK, "upload_file", arguments{"uid": ref(args[0]), "filePaths": args[1:]})
		})
}
