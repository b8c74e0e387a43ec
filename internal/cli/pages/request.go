package pages

import (
	"strings"

	"cove/internal/fault"
)

func (r *runner) requestHelp() verb {
	var code, wait, cancel string
	var options []string
	var text bool
	v := words("ask MESSAGE", "Ask the person for help and wait", `  cove page ask 'Please solve the captcha'
  cove page ask 'Which account?' --choose work,home
  cove page ask 'The code from your phone' --code k4
  cove page ask --wait 3-4711                 exit code 8: nobody has answered yet`, 0, 1,
		func(args []string) (plan, error) {
			a := arguments{}.set("wait", int(r.timeout.Seconds()))
			switch {
			case (wait != "" || cancel != "") && len(args) > 0:
				return plan{}, fault.Invalidf("A new message and the request to wait for exclude each other.").
					WithHint("See: cove page ask --help")
			case wait != "" && len(args) == 0:
				return one(headNone, "ask_person", a.set("request", wait))
			case cancel != "" && len(args) == 0:
				return one(headNone, "ask_person", a.set("request", cancel).set("cancel", true))
			case len(args) == 0:
				return plan{}, fault.Invalidf("There is no message.").WithHint("See: cove page ask --help")
			}
			a["message"] = args[0]
			switch {
			case code != "":
				a["kind"], a["uid"] = "code", ref(code)
			case len(options) > 0:
				a["kind"], a["options"] = "choose", options
			case text:
				a["kind"] = "text"
			}
			return one(headNone, "ask_person", a)
		})
	flags := v.cmd.Flags()
	flags.StringVar(&code, "code", "", "the person types a code into the field `REF`; you never see it")
	flags.StringSliceVar(&options, "choose", nil, "the person chooses one of these")
	flags.BoolVar(&text, "text", false, "the person writes an answer")
	flags.StringVar(&wait, "wait", "", "wait on for the request with this `ID`")
	flags.StringVar(&cancel, "cancel", "", "withdraw the request with this `ID`")
	return v
}

func (r *runner) pageTools() verb {
	var frame string
	v := words("tools [NAME|call NAME [JSON|-]]", "List and call the tools that the page offers", `  cove page tools
  cove page tools add_to_cart                 its input
  cove page tools call add_to_cart '{"id":7}'
  cove page tools call search - < input.json`, 0, 3, func(args []string) (plan, error) {
		calls := len(args) > 0 && args[0] == "call"
		switch {
		case frame != "" && !calls:
			return plan{}, fault.Invalidf("--frame is for a call.").WithHint("See: cove page tools --help")
		case len(args) == 0:
			return one(headNone, "list_page_tools", arguments{})
		case !calls && len(args) == 1:
			return one(headNone, "list_page_tools", arguments{"name": args[0]})
		case calls && len(args) > 1:
			a := arguments{"name": args[1]}.set("frame", ref(frame))
			if len(args) == 3 {
				input, err := objectOrInput(r.env.In, args[2], "The input is", `For example: '{"id":7}'`)
				if err != nil {
					return plan{}, err
				}
				a["input"] = input
			}
			return one(headOK, "call_page_tool", a.set("timeout", r.milliseconds()))
		}
		return plan{}, fault.Invalidf("%q is not understood.", strings.Join(args, " ")).
			WithHint("See: cove page tools --help")
	})
	v.cmd.Flags().StringVar(&frame, "frame", "", "call the tool of this frame, by `REF`")
	return v
}
