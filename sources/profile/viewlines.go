package profile

// EachLine calls fn with a string and an enum field of every element of a repeated message field, until fn returns false:
// what Each with Str and Enum gives, at a fraction of the cost. It is meant for long lists of small messages, such as the
// lines of a diff.
func (v View) EachLine(list, text, kind Field, fn func(text, kind string) bool) {
	d, _, _, ok := v.find(list)
	if !ok || d.kind != kindMessage {
		return
	}
	t := d.msg.table()
	textField, kindField := v.r.find(text, t), v.r.find(kind, t)
	if !textField.stands(kindString) || !kindField.stands(kindEnum) {
		v.Each(list, func(e View) bool { return fn(e.Str(text), e.Enum(kind)) })
		return
	}
	names := kindField.enum.table()
	v.items(list, func(_ *field, _ uint64, b []byte) bool {
		var line []byte
		var number uint64
		set := false
		for i := 0; i < len(b); {
			tag, n, start, end := next(b, i)
			if end < 0 {
				break
			}
			switch tag {
			case textField.number<<3 | wireBytes:
				line = b[start:end]
			case kindField.number<<3 | wireVarint:
				number, set = n, true
			}
			i = end
		}
		return fn(v.r.text(textField, line), names.shortName(kindField.kind.signed(number), set))
	})
}

// stands reports a singular field of the kind outside oneofs.
func (f *field) stands(k kind) bool { return f != nil && f.kind == k && !f.repeated && f.oneof < 0 }
