last () 
{ 
    adj show approvals --json | grep -v '^\[rc' | python3 -c "
import json,sys
p=[a for a in json.load(sys.stdin) if a['state']=='pending']; p.sort(key=lambda a:a['created']); print(p[-1]['id'] if p else '')"
}
yes_ () 
{ 
    ap $(last)
}
last () 
{ 
    adj show approvals --json | grep -v '^\[rc' | python3 -c "
import json,sys
p=[a for a in json.load(sys.stdin) if a['state']=='pending']; p.sort(key=lambda a:a['created']); print(p[-1]['id'] if p else '')"
}
