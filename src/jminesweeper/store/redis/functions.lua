#!lua name=$LIBRARY

-- What the store does inside Redis, where nothing else comes between reading and writing.
-- A call carries out a whole batch: for each operation its name, the number of its arguments, and
-- the arguments. The answers come back in the same order. A word in place of an answer says what
-- refuses the operation. Values are packed by the caller and never looked into here.
-- docs/store.md describes the keys.

local MAX_GAMES = $MAX_GAMES
local MAX_CATEGORIES = $MAX_CATEGORIES
local MAX_SAVES = $MAX_SAVES
local MAX_DEVICES = $MAX_DEVICES
local MAX_OWN_BEST = $MAX_OWN_BEST
local VERSION = $VERSION
-- Lua counts in doubles: larger sums would lose their last digits.
local MAX_SUM = 2 ^ 53

-- There is no redis.call yet while the functions are loaded: each batch begins by setting this.
local call

-- Players and running games

local function is_known(player)
    return call('EXISTS', 'jm:player:' .. player) == 1
end

local function add_player(player, name, settings, at)
    call('HSET', 'jm:player:' .. player, 'name', name, 'settings', settings, 'at', at)
    call('ZADD', 'jm:players', 0, player)
    call('SETNX', 'jm:schema', VERSION)
end

-- A device is the player of its key, until it takes an offer.
local function player_of(device)
    return call('GET', 'jm:device:' .. device) or device
end

-- The log's first element is the game as it was put at revision `base`.
local function revision_of(player, base)
    local length = call('LLEN', 'jm:log:' .. player)
    return length == 0 and 0 or base + length - 1
end

-- Gives the revision of `base`, or the word that refuses a write by somebody who is not the holder.
local function held(player, owner)
    local state = call('HMGET', 'jm:player:' .. player, 'owner', 'base')
    if state[1] == owner then
        return tonumber(state[2] or 0)
    end
    return nil, is_known(player) and 'FENCED' or 'UNKNOWN'
end

local function append(player, owner, revision, entries)
    local base, refusal = held(player, owner)
    if refusal then
        return refusal
    end
    local log = 'jm:log:' .. player
    local place = revision - base + 1
    -- Pushing tells the length: asking for it first would cost every append a tenth more.
    local length = call('RPUSH', log, entries) - 1
    if place == length and length > 0 then
        return revision + 1
    end
    call('RPOP', log)
    if place < 1 or call('LINDEX', log, place) ~= entries then
        return 'REVISION'
    end
    -- A write that is tried again because its acknowledgement was lost is a success.
    return revision + 1
end

-- Running sums: sixteen numbers in one text, seven of ranked games, seven of unranked ones, and
-- the streak and the longest one. A dash is a time that nobody has yet.

local PLACES = { won = 1, lost = 2, terminated = 3 }
local BEST, TIME, SPEED, SPEEDS, UNRANKED, STREAK, LONGEST = 4, 5, 6, 7, 7, 15, 16
local NO_SUMS = '0 0 0 - 0 0 0 0 0 0 - 0 0 0 0 0'
local OTHERS = ''

local function read_sums(text)
    local sums = {}
    for word in string.gmatch(text, '%S+') do
        sums[#sums + 1] = tonumber(word) or '-'
    end
    return sums
end

local function write_sums(sums)
    local words = {}
    for place, number in ipairs(sums) do
        words[place] = number == '-' and number or string.format('%.17g', number)
    end
    return table.concat(words, ' ')
end

-- A category is counted alone, or with the others once there are too many.
local function line_of(tally, category)
    if call('HEXISTS', tally, category) == 1 then
        return category
    end
    local lines = call('HLEN', tally) - call('HEXISTS', tally, OTHERS)
    return lines < MAX_CATEGORIES and category or OTHERS
end

local function change_sums(tally, category, change)
    local line = line_of(tally, category)
    local sums = read_sums(call('HGET', tally, line) or NO_SUMS)
    change(sums)
    call('HSET', tally, line, write_sums(sums))
end

local function add_win(sums, first, result)
    local time = math.min(tonumber(result.time), MAX_SUM)
    local best = sums[first + BEST]
    sums[first + BEST] = best == '-' and time or math.min(best, time)
    sums[first + TIME] = math.min(sums[first + TIME] + time, MAX_SUM)
    if result.speed ~= '' then
        sums[first + SPEED] = sums[first + SPEED] + tonumber(result.speed)
        sums[first + SPEEDS] = sums[first + SPEEDS] + 1
    end
end

local function count(tally, result, former)
    if former then
        change_sums(tally, former.category, function(sums)
            local place = (former.counts and 0 or UNRANKED) + PLACES[former.status]
            sums[place] = sums[place] - 1
        end)
    end
    change_sums(tally, result.category, function(sums)
        local first = result.counts and 0 or UNRANKED
        local place = first + PLACES[result.status]
        sums[place] = sums[place] + 1
        if result.status == 'won' then
            add_win(sums, first, result)
        end
        -- A streak that was ended stays ended, or a player could undo losses to save it.
        if not former then
            sums[STREAK] = result.counts and result.status == 'won' and sums[STREAK] + 1 or 0
            sums[LONGEST] = math.max(sums[STREAK], sums[LONGEST])
        end
    end)
end

-- Finished games

local function find_recorded(code)
    local fields = call('HMGET', 'jm:game:' .. code,
        'player', 'status', 'counts', 'category', 'number', 'daily')
    if not fields[1] then
        return nil
    end
    return {
        code = code,
        player = fields[1],
        status = fields[2],
        counts = fields[3] == '1',
        category = fields[4],
        number = fields[5],
        is_daily = fields[6] == '1',
    }
end

-- A place sorts by time, end and number, each of a fixed width, and ends with the player; beside
-- the player the same figures end with the code.
local FIGURES = 57

-- A player's own best wins of all boards are in one set; those of a board from the first place of
-- so many.
local function own_best(player, board, first, count)
    return call('ZRANGE', 'jm:own:' .. player, '[' .. board .. '\0', '(' .. board .. '\1',
        'BYLEX', 'LIMIT', first, count)
end

-- Gives a win its place among the player's own, which are never dropped.
local function keep_own_best(player, code, board, figures)
    call('ZADD', 'jm:own:' .. player, 0, board .. '\0' .. figures .. code)
    call('ZREM', 'jm:spare:' .. player, code)
    for _, place in ipairs(own_best(player, board, MAX_OWN_BEST, 1)) do
        call('ZREM', 'jm:own:' .. player, place)
        local former = find_recorded(string.sub(place, #board + 1 + FIGURES + 1))
        if not former.is_daily then
            call('ZADD', 'jm:spare:' .. player, former.number, former.code)
        end
    end
end

-- A win takes its player's place on a board if it is faster, or as fast and earlier.
local function rank(player, code, number, board, board_order, time)
    local figures = string.format('%s|%016d|', time, number)
    keep_own_best(player, code, board, figures)
    local best = 'jm:best:' .. player
    local before = call('HGET', best, board)
    if before and time >= string.sub(before, 1, #time) then
        return
    end
    if before then
        call('ZREM', 'jm:board:' .. board, string.sub(before, 1, FIGURES) .. player)
    end
    call('HSET', best, board, figures .. code)
    call('ZADD', 'jm:board:' .. board, 0, figures .. player)
    call('ZADD', 'jm:boards', 0, board_order)
end

local function drop_oldest(player)
    local spare = 'jm:spare:' .. player
    local surplus = call('ZCARD', spare) - MAX_GAMES
    if surplus > 0 then
        for _, code in ipairs(call('ZRANGE', spare, 0, surplus - 1)) do
            call('DEL', 'jm:game:' .. code)
            call('ZREM', 'jm:games:' .. player, code)
            call('ZREM', spare, code)
        end
    end
end

-- Keeps a game, ranks it, and drops the oldest one too many.
local function keep(number, player, code, status, counts, category, _, _, daily,
                    board, board_order, wall, data)
    call('HSET', 'jm:game:' .. code, 'player', player, 'status', status, 'counts', counts,
        'category', category, 'number', number, 'daily', daily, 'data', data)
    call('ZADD', 'jm:games:' .. player, number, code)
    if daily == '1' then
        call('ZREM', 'jm:spare:' .. player, code)
    else
        call('ZADD', 'jm:spare:' .. player, number, code)
    end
    if board ~= '' then
        rank(player, code, number, board, board_order, wall)
    end
    drop_oldest(player)
end

local function record(player, code, status, counts, category, time, speed, ...)
    local result = {
        status = status, counts = counts == '1', category = category, time = time, speed = speed,
    }
    if player == '' then
        count('jm:tally', result)
        return 1
    end
    if not is_known(player) then
        return 'UNKNOWN'
    end
    local former = find_recorded(code)
    if former and former.player ~= player then
        return 'TAKEN ' .. code
    end
    if former and former.status == 'won' then
        return 1
    end
    count('jm:tally', result, former)
    count('jm:tally:' .. player, result, former)
    local number = former and former.number or call('INCR', 'jm:recorded')
    keep(number, player, code, status, counts, category, time, speed, ...)
    return 1
end

local writes = { append = append, record = record }

-- A store exists from the first server on that uses it.
function writes.prepare()
    call('SET', 'jm:schema', VERSION)
    return 1
end

function writes.enter(device, name, owner)
    local player = player_of(device)
    local key = 'jm:player:' .. player
    if not is_known(player) then
        return {}
    end
    if name ~= '' then
        call('HSET', key, 'name', name)
    end
    call('HSET', key, 'owner', owner)
    return {
        player,
        call('HMGET', key, 'name', 'settings', 'at', 'base', 'note'),
        call('LRANGE', 'jm:log:' .. player, 0, -1),
    }
end

function writes.put_player(player, name, settings, at)
    if is_known(player) then
        call('HSET', 'jm:player:' .. player, 'name', name, 'settings', settings)
    else
        add_player(player, name, settings, at)
    end
    return 1
end

function writes.put_offer(player, code, end_s, lifetime_s)
    if not is_known(player) then
        return 'UNKNOWN'
    end
    local key = 'jm:player:' .. player
    call('DEL', 'jm:offer:' .. (call('HGET', key, 'offer') or ''))
    call('HSET', key, 'offer', code)
    call('SET', 'jm:offer:' .. code, end_s .. ' ' .. player, 'EX', lifetime_s)
    return 1
end

local function add_device(player, device)
    call('SREM', 'jm:devices:' .. player_of(device), device)
    call('SET', 'jm:device:' .. device, player)
    call('SADD', 'jm:devices:' .. player, device)
end

function writes.take_offer(device, code, at)
    local offer = call('GETDEL', 'jm:offer:' .. code)
    local end_s, player = string.match(offer or '', '^(%d+) (.+)')
    if not player or tonumber(end_s) <= tonumber(at) then
        return 0
    end
    if call('SCARD', 'jm:devices:' .. player) >= MAX_DEVICES then
        return 0
    end
    add_device(player, device)
    return 1
end

function writes.put_running(player, owner, at, game)
    local key = 'jm:player:' .. player
    local state = call('HMGET', key, 'owner', 'base')
    if state[1] and state[1] ~= owner then
        return 'FENCED'
    end
    if not is_known(player) then
        add_player(player, '', '{}', at)
    end
    local revision = revision_of(player, tonumber(state[2] or 0)) + 1
    call('HSET', key, 'owner', owner, 'base', revision)
    call('DEL', 'jm:log:' .. player)
    call('RPUSH', 'jm:log:' .. player, game)
    return revision
end

-- A note counts as long as nothing is appended, so it is kept with its revision.
function writes.note(player, owner, state)
    local base, refusal = held(player, owner)
    if refusal then
        return refusal
    end
    local revision = revision_of(player, base)
    if revision == 0 then
        return 'REVISION'
    end
    call('HSET', 'jm:player:' .. player, 'note', revision .. ' ' .. state)
    return 1
end

function writes.finish(owner, revision, entries, player, code, ...)
    if not is_known(player) then
        return 'UNKNOWN'
    end
    local former = find_recorded(code)
    if former and former.player ~= player then
        return 'TAKEN ' .. code
    end
    local answer = append(player, owner, revision, entries)
    if type(answer) == 'number' then
        record(player, code, ...)
    end
    return answer
end

function writes.put_save(player, name, label, game)
    if not is_known(player) then
        return 'UNKNOWN'
    end
    local labels = 'jm:saves:' .. player
    if call('HEXISTS', labels, name) == 0 and call('HLEN', labels) >= MAX_SAVES then
        return 'SAVES'
    end
    call('HSET', labels, name, label)
    call('HSET', 'jm:saved:' .. player, name, game)
    return 1
end

function writes.drop_save(player, name)
    call('HDEL', 'jm:saved:' .. player, name)
    return call('HDEL', 'jm:saves:' .. player, name)
end

-- Moving players between stores

-- Texts that were joined, each after its length and a colon.
local function split(joined)
    local texts, at = {}, 1
    while at <= #joined do
        local colon = string.find(joined, ':', at, true)
        local last = colon + tonumber(string.sub(joined, at, colon - 1))
        texts[#texts + 1] = string.sub(joined, colon + 1, last)
        at = last + 1
    end
    return texts
end

local function put_tally(tally, joined)
    call('DEL', tally)
    local lines = split(joined)
    for place = 1, #lines, 2 do
        call('HSET', tally, lines[place], lines[place + 1])
    end
end

local function forget(player)
    for _, code in ipairs(call('ZRANGE', 'jm:games:' .. player, 0, -1)) do
        call('DEL', 'jm:game:' .. code)
    end
    local best = call('HGETALL', 'jm:best:' .. player)
    for place = 1, #best, 2 do
        local figures = string.sub(best[place + 1], 1, FIGURES)
        call('ZREM', 'jm:board:' .. best[place], figures .. player)
    end
    for _, device in ipairs(call('SMEMBERS', 'jm:devices:' .. player)) do
        call('DEL', 'jm:device:' .. device)
    end
    local kinds = {
        'player', 'log', 'saves', 'saved', 'games', 'spare', 'best', 'own', 'devices',
    }
    for _, kind in ipairs(kinds) do
        call('DEL', 'jm:' .. kind .. ':' .. player)
    end
end

function writes.import_player(player, name, settings, at, running, saves, games, tally, devices)
    games = split(games)
    for place, joined in ipairs(games) do
        games[place] = split(joined)
        local code = games[place][2]
        local former = find_recorded(code)
        if former and former.player ~= player then
            return 'TAKEN ' .. code
        end
    end
    forget(player)
    add_player(player, name, settings, at)
    if running ~= '' then
        call('HSET', 'jm:player:' .. player, 'base', 1)
        call('RPUSH', 'jm:log:' .. player, running)
    end
    saves = split(saves)
    for place = 1, #saves, 3 do
        call('HSET', 'jm:saves:' .. player, saves[place], saves[place + 1])
        call('HSET', 'jm:saved:' .. player, saves[place], saves[place + 2])
    end
    for _, game in ipairs(games) do
        keep(call('INCR', 'jm:recorded'), unpack(game))
    end
    put_tally('jm:tally:' .. player, tally)
    for _, device in ipairs(split(devices)) do
        add_device(player, device)
    end
    return 1
end

function writes.import_totals(tally)
    put_tally('jm:tally', tally)
    return 1
end

-- What only reads

local reads = {}

function reads.find_player(device)
    local player = player_of(device)
    return { player, call('HMGET', 'jm:player:' .. player, 'name', 'settings', 'at') }
end

function reads.confirm_hold(player, owner)
    local holder = call('HGET', 'jm:player:' .. player, 'owner')
    return holder and holder ~= owner and 'FENCED' or 1
end

function reads.list_saves(player)
    return call('HGETALL', 'jm:saves:' .. player)
end

function reads.find_save(player, name)
    return call('HGET', 'jm:saved:' .. player, name)
end

function reads.find_game(code)
    return call('HMGET', 'jm:game:' .. code, 'player', 'data')
end

function reads.list_games(player, last)
    if last == '-1' then
        return {}
    end
    local games = call('ZRANGE', 'jm:games:' .. player, 0, last, 'REV')
    for place, code in ipairs(games) do
        games[place] = call('HGET', 'jm:game:' .. code, 'data')
    end
    return games
end

function reads.read_sums(tally)
    return call('HGETALL', tally)
end

function reads.read_leaderboard(board, limit)
    local places = call('ZRANGE', 'jm:board:' .. board, '-', '+', 'BYLEX', 'LIMIT', 0, limit)
    local answer = {}
    for _, place in ipairs(places) do
        local player = string.sub(place, FIGURES + 1)
        answer[#answer + 1] = {
            place,
            string.sub(call('HGET', 'jm:best:' .. player, board), FIGURES + 1),
            call('HGET', 'jm:player:' .. player, 'name'),
        }
    end
    return answer
end

function reads.read_own_best(player, board)
    return own_best(player, board, 0, MAX_OWN_BEST)
end

function reads.list_boards(limit)
    return call('ZRANGE', 'jm:boards', '-', '+', 'BYLEX', 'LIMIT', 0, limit)
end

function reads.list_players(after, limit)
    return call('ZRANGE', 'jm:players', after, '+', 'BYLEX', 'LIMIT', 0, limit)
end

function reads.export_player(player)
    local games = call('ZRANGE', 'jm:games:' .. player, 0, -1)
    for place, code in ipairs(games) do
        games[place] = call('HGET', 'jm:game:' .. code, 'data')
    end
    return {
        call('HMGET', 'jm:player:' .. player, 'name', 'settings', 'at', 'base', 'note'),
        call('LRANGE', 'jm:log:' .. player, 0, -1),
        call('HGETALL', 'jm:saves:' .. player),
        call('HGETALL', 'jm:saved:' .. player),
        games,
        call('HGETALL', 'jm:tally:' .. player),
        call('SMEMBERS', 'jm:devices:' .. player),
    }
end

-- Every player is listed, and whoever is listed is there.
function reads.find_damage()
    local found = {}
    for _, player in ipairs(call('ZRANGE', 'jm:players', 0, -1)) do
        if not is_known(player) then
            found[#found + 1] = 'Player ' .. player .. ' is listed and not there.'
        end
    end
    return found
end

-- One damaged key concerns one player: the others of the batch get their answers.
local function carry_out(functions, batch)
    call = redis.call
    local answers, next_one = {}, 1
    while next_one <= #batch do
        local last = next_one + 1 + batch[next_one + 1]
        local is_done, answer = pcall(functions[batch[next_one]], unpack(batch, next_one + 2, last))
        if not is_done then
            redis.log(redis.LOG_WARNING, type(answer) == 'table' and answer.err or answer)
            answer = 'DAMAGED'
        end
        answers[#answers + 1] = answer
        next_one = last + 1
    end
    return answers
end

redis.register_function('${LIBRARY}_write', function(_, batch)
    return carry_out(writes, batch)
end)

redis.register_function {
    function_name = '${LIBRARY}_read',
    callback = function(_, batch)
        return carry_out(reads, batch)
    end,
    flags = { 'no-writes' },
}
