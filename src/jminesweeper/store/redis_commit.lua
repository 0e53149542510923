#!lua name=$LIBRARY

-- The one thing that happens inside Redis: commits, each carried out whole or not at all.
-- A call has the words of many. A commit is a row of steps that ends with '.'; what a step says is
-- packed by the caller and never looked into here:
--   C key version | P key version body | D key | A key at last entries
--   + board text  | - board text | N counter field amount | K key until
-- An answer is 1, or the key that conflicts and, of a log, all from the entry before on.

local WIDTH =
    { C = 3, P = 4, D = 2, A = 5, ['+'] = 3, ['-'] = 3, N = 4, K = 3, ['.'] = 1 }

local compare = {
    C = function(call, words, at)
        local version = call('GETRANGE', 'jm:d:' .. words[at + 1], 0, 10)
        return version ~= words[at + 2] and { words[at + 1], '' }
    end,
    A = function(call, words, at)
        -- From the entry before on there is that entry alone, if the log is as its writer knows it.
        local place, last, entries = words[at + 2], words[at + 3], words[at + 4]
        local since = call('GETRANGE', 'jm:l:' .. words[at + 1], math.max(0, place - 1) * 8, -1)
        if since == last .. entries then
            words[at + 4] = ''
            return nil
        end
        return since ~= last and { words[at + 1], since }
    end,
}

local function keep(call, key, till)
    if till == '0' then
        call('PERSIST', key)
    else
        call('EXPIREAT', key, till)
    end
end

local apply = {
    P = function(call, key, version, body)
        -- Until when it is kept is a step of its own, or appends would begin a log after its end.
        call('SET', 'jm:d:' .. key, version .. body)
        local log = call('GET', 'jm:l:' .. key)
        if log then
            -- Redis keeps as much room behind a text that grew: what is put is done growing for now.
            call('SET', 'jm:l:' .. key, log)
        end
    end,
    D = function(call, key)
        call('DEL', 'jm:d:' .. key, 'jm:l:' .. key)
    end,
    A = function(call, key, at, _, entries)
        if at ~= '0' then
            call('APPEND', 'jm:l:' .. key, entries)
            return
        end
        -- A log that begins ends with its document, which may have ended already.
        local till = call('EXPIRETIME', 'jm:d:' .. key)
        if till ~= -2 then
            call('APPEND', 'jm:l:' .. key, entries)
            keep(call, 'jm:l:' .. key, till == -1 and '0' or till)
        end
    end,
    ['+'] = function(call, board, text)
        call('ZADD', 'jm:p:' .. board, 0, text)
    end,
    ['-'] = function(call, board, text)
        call('ZREM', 'jm:p:' .. board, text)
    end,
    N = function(call, counter, field, amount)
        call('HINCRBY', 'jm:n:' .. counter, field, amount)
    end,
    K = function(call, key, till)
        keep(call, 'jm:d:' .. key, till)
        keep(call, 'jm:l:' .. key, till)
    end,
}

local function carry_out(call, words, first)
    local at = first
    while words[at] ~= '.' do
        local look = compare[words[at]]
        local conflict = look and look(call, words, at)
        if conflict then
            return conflict
        end
        at = at + WIDTH[words[at]]
    end
    at = first
    while words[at] ~= '.' do
        local change = apply[words[at]]
        if change then
            change(call, words[at + 1], words[at + 2], words[at + 3], words[at + 4])
        end
        at = at + WIDTH[words[at]]
    end
    return 1
end

local function carry_out_all(_, words)
    local answers, at = {}, 1
    redis.call('SET', 'jm:schema', '$VERSION', 'NX')
    while words[at] do
        -- One damaged key concerns one commit: the others get their answers.
        local is_done, answer = pcall(carry_out, redis.call, words, at)
        if not is_done then
            redis.log(redis.LOG_WARNING, type(answer) == 'table' and answer.err or answer)
            answer = 'DAMAGED'
        end
        answers[#answers + 1] = answer
        while words[at] ~= '.' do
            at = at + WIDTH[words[at]]
        end
        at = at + 1
    end
    return answers
end

-- A server without memory refuses what grows by itself; what deletes must not be refused with it.
redis.register_function({
    function_name = '${LIBRARY}_commit',
    callback = carry_out_all,
    flags = { 'allow-oom' },
})
